/// How a report looks, in light and in dark.
enum ReportStyle {
  static let css: HTML = """
    :root{color-scheme:light dark;--bg:#fbfaf8;--ink:#1d2430;--soft:#667085;--line:#dcdfe5;--card:#fff;
    --written:#2f7d5b;--merged:#7fb59a;--quarantined:#d9822b;--left:#4a7fc1;--discarded:#a8adb7;--bad:#c2413b}
    @media(prefers-color-scheme:dark){:root{--bg:#14171c;--ink:#e6e9ee;--soft:#98a2b3;--line:#323843;--card:#1c2027;
    --written:#4ea781;--merged:#8cc4a8;--quarantined:#e39a4c;--left:#6f9fdb;--discarded:#737a86;--bad:#e2706a}}
    *{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);
    font:15px/1.5 system-ui,"Segoe UI",Roboto,sans-serif}
    main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}h1{font-size:28px;margin:0}
    header p{margin:2px 0 0;color:var(--soft)}h2{font-size:18px;margin:0 0 12px}
    section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px;margin-top:20px}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin-top:20px}
    .figures div{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px 18px}
    .figures b{display:block;font-size:24px;font-variant-numeric:tabular-nums}.figures span{color:var(--soft)}
    .roadmap{display:block;width:100%;height:auto;max-height:70vh}
    .roadmap text{font-size:11px;fill:var(--soft)}.roadmap .name{font-size:14px;font-weight:600;fill:var(--ink)}
    .box rect{fill:var(--bg);stroke:var(--line);stroke-width:1.5}.arrow{fill:none;stroke:var(--soft);stroke-width:1.4}
    .tip{fill:var(--soft)}.box.done rect{stroke:var(--written)}.box.done .state{fill:var(--written)}
    .box.failed rect{stroke:var(--bad)}.box.failed .state{fill:var(--bad)}
    .box.crossing rect,.box.waitingForNetwork rect{stroke:var(--quarantined)}
    .box.off rect{stroke-dasharray:5 4}.stops{margin:12px 0 0;padding-left:20px}
    .legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 12px;color:var(--soft)}
    .legend i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:6px}
    .bars{display:grid;grid-template-columns:max-content 1fr max-content;gap:8px 14px;align-items:center}
    .bars b{font-weight:500}.bars span{color:var(--soft);font-variant-numeric:tabular-nums;text-align:right}
    .bar{display:flex;height:18px;border-radius:5px;overflow:hidden}.bar i{min-width:2px;height:100%}
    .written{background:var(--written)}.merged{background:var(--merged)}.quarantined{background:var(--quarantined)}
    .left{background:var(--left)}.discarded{background:var(--discarded)}
    .backedUp{background:#8c6bb1}.reset{background:#b8a9c9}.restored{background:var(--written)}
    .resynced{background:var(--left)}.verified{background:var(--quarantined)}.bar .done,.legend .done{background:#9aa1ad}
    .wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin-top:10px}
    th{text-align:left;font-weight:500;color:var(--soft)}td,th{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);
    vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}details summary{cursor:pointer;color:var(--soft)}
    section>details{margin-top:16px}code{font:12px/1.45 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
    .note{color:var(--soft);margin:10px 0 0}.checks{list-style:none;margin:0;padding:0}.checks li{padding:3px 0}
    .checks b{display:inline-block;width:22px}.holds b{color:var(--written)}.broken b{color:var(--bad)}
    .open b{color:var(--quarantined)}
    """
}
