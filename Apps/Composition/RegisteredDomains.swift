import AttachmentDomain
import FerryKernel
import FolderDomain
import ItemDomain
import LogDomain
import SearchHistoryDomain
import SettingDomain

/// Every domain that the apps know. Adding one is a line here and a line in `Package.swift`.
public enum RegisteredDomains {
  public static let all: [Domain] = [
    .searchHistory,
    .setting(declared: DeclaredSettings.all),
    .folder,
    .itemWithAttachments,
    .attachment,
    .log,
  ]

  /// Those without which an app is of no use: a first roadmap has its gate wait for them.
  public static let core: Set<String> = [
    Domain.searchHistory.name, Domain.setting.name, Domain.folder.name, Domain.item.name,
  ]
}
