// What the program is told: defaults, then the file, then the environment, then flags. Paths in the
// file are relative to the file's folder, so the program may be started from anywhere.

import HTTP1
import Vendors

/// The configuration in force.
struct Configuration: Sendable {
    /// A host and path pattern that accepts callbacks of one vendor.
    struct Receiver: Sendable, Equatable {
        /// Lower case, without port.
        var host: String
        /// A link pattern (see `AppLinks`), such as `/dds/`.
        var path: String
        var vendor: Vendor
        var inbox: String
    }

    /// How log lines look.
    enum LogFormat: String, Sendable, CaseIterable {
        case text
        case json
    }

    /// An IPv4 or IPv6 address, or `localhost`.
    var host = "127.0.0.1"
    /// 0 asks the system for a free port.
    var port: UInt16 = 8080
    /// The data folder.
    var dataFolder = "data"
    /// The folder of the web page's files.
    var publicFolder = "public"
    /// The folder of the sites' folders.
    var sitesFolder = "Config/sites"
    /// The site that answers for hosts that have none.
    var defaultSite: String?
    var receivers: [Receiver] = []
    /// What `/api` and the page ask for when not bound to loopback; nil makes one up.
    var token: String?
    var logLevel = "info"
    var logFormat = LogFormat.text
    /// Bytes that the body of a callback may have.
    var callbackBodyBytes = 4 * 1024 * 1024
    var http = Limits()

    /// Whether only this machine can connect.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
