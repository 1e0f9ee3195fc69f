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
    .item,
    .attachment,
    .log,
  ]
}
