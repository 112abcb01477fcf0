// Key and time for the commands about tokens.

import ArgumentParser
import Clocks
import Files
import Foundation

/// A partner's key, and the time to assume.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The partner_auth_key, as text. Other users of this machine see arguments: use "
                + "--key-file or LANDFALL_REZOLVE_KEY for a real one.", valueName: "key"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "A file with the key; a final line end is ignored.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "The current time to assume: seconds since 1970, or as in 2026-11-21T06:13:00Z.",
            valueName: "time"))
    var now: String?

    /// The key's bytes; nil if none was given.
    ///
    /// Throws `ValidationError` if there are two, or if the file can't be read.
    func bytes() throws -> [UInt8]? {
        if let key {
            if keyFile != nil { throw ValidationError("Give --key or --key-file, not both.") }
            return try Self.checked(Array(key.utf8))
        }
        if let keyFile {
            var bytes = try CommandFailure.environment { try Folder.content(of: keyFile) }
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return try Self.checked(bytes)
        }
        guard let key = ProcessInfo.processInfo.environment["LANDFALL_REZOLVE_KEY"] else {
            return nil
        }
        return try Self.checked(Array(key.utf8))
    }

    private static func checked(_ key: [UInt8]) throws -> [UInt8] {
        if key.isEmpty { throw ValidationError("The key is empty.") }
        return key
    }

    /// Seconds since 1970.
    func seconds() throws -> Double {
        guard let now else { return Double(Timestamp.now.unixMilliseconds) / 1000 }
        if let time = Timestamp(now.utf8) { return Double(time.unixMilliseconds) / 1000 }
        guard let seconds = Double(now), seconds.isFinite, abs(seconds) < 1e12 else {
            throw ValidationError(
                "--now must be seconds since 1970, or a time such as 2026-11-21T06:13:00Z.")
        }
        return seconds
    }
}
