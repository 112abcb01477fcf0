// The content of the file LOCK: who has locked a data folder, and where it can be asked.
//
// Invariant: reading leaves out what isn't the address of a server. Left out: the lock itself, which
// is `FolderLock`'s.

/// The process that has locked a data folder.
struct Holder: Equatable {
    /// Its id; empty if LOCK has none.
    let process: String
    /// The URLs of its server, best first; empty for a command, or while the server starts.
    let addresses: [String]

    init(process: String, addresses: [String]) {
        self.process = process
        self.addresses = addresses
    }

    /// Reads the file's content.
    init(_ content: [UInt8]) {
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        let first = lines.first.map(String.init) ?? ""
        process = first.allSatisfy(\.isNumber) ? first : ""
        addresses = lines.dropFirst().map(String.init).filter {
            $0.hasPrefix("http://") || $0.hasPrefix("https://")
        }
    }

    /// The file's content.
    var text: [UInt8] {
        Array(([process] + addresses).map { $0 + "\n" }.joined().utf8)
    }
}
