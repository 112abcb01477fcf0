// A stored request as a command that sends it again: method, target, field lines in order, and the
// exact bytes of the body.
//
// Invariant: for any record, the text is one pipeline of `printf`, `base64` and `curl` that reads
// no file. Left out: what a record doesn't keep (chunks, whitespace around field values,
// credentials), and the position of Host, which curl always sends first.

import FoundationEssentials
import Text

/// A command for a POSIX shell that sends the request of a record with curl.
package struct CurlCommand {
    /// Maximum bytes of a body passed as an argument; Linux allows 128 KiB for one.
    private static let maximumArgumentBytes = 64 * 1024

    /// The command with its line end.
    package let text: String

    /// Makes the command from the text of a record.
    ///
    /// O(size). Nil if the record can't be read or can't be sent: a method or field name that is
    /// not a token, or a line break in a value.
    ///
    /// - Parameter base: where to connect, such as `http://127.0.0.1:8080`; the Host field stays as
    ///   recorded. Nil connects to the server that the record names.
    package init?(_ record: [UInt8], to base: String?) {
        guard let request = ExportedRecord(record)?.request, Self.isSendable(request),
            let address = Self.address(of: request, base: base),
            let lines = Self.fieldLines(of: request),
            let method = ShellQuoting.word(request.method)
        else { return nil }
        let hasBody = request.body.map { !$0.octets.isEmpty } ?? false
        let isHead = request.method == "HEAD" && !hasBody
        let version = request.version == "1.0" ? "--http1.0" : "--http1.1"
        let verb = isHead ? "--head" : "--request " + method
        var parts = ["curl \(version) --path-as-is --globoff \(verb)"]
        parts += lines.map { "  --header " + $0 }
        var source = ""
        if hasBody, let body = request.body {
            if let text = body.text, Self.isPlain(text), let word = ShellQuoting.word(text) {
                // Unlike `--data-binary`, doesn't read a leading @ as a file name.
                parts.append("  --data-raw " + word)
            } else {
                source = "printf '%s' '\(Data(body.octets).base64EncodedString())' | base64 -d | "
                parts.append("  --data-binary @-")
            }
        }
        parts += address.map { "  " + $0 }
        text = source + parts.joined(separator: " \\\n") + "\n"
    }
}

extension CurlCommand {
    /// Whether curl can send each part unchanged.
    ///
    /// An invalid token could have a meaning: curl reads `@name` as the name of a file.
    private static func isSendable(_ request: StoredRequest) -> Bool {
        HTTPText.isToken(request.method) && HTTPText.isTarget(request.target)
            && (request.host.isEmpty || HTTPText.isTarget(request.validHost))
            && ["http", "https"].contains(request.scheme)
            && request.headers.allSatisfy {
                HTTPText.isToken($0.name) && HTTPText.isFieldValue($0.value)
            }
    }

    /// The URL, and the target as an argument if curl would rewrite it; nil without a host.
    private static func address(of request: StoredRequest, base: String?) -> [String]? {
        if base == nil, request.host.isEmpty { return nil }
        var base = base ?? "\(request.scheme)://\(request.validHost)"
        if base.hasSuffix("/") { base.removeLast() }
        if survivesInURL(request.target) {
            return ShellQuoting.word(base + request.target).map { [$0] }
        }
        guard let target = ShellQuoting.word(request.target),
            let url = ShellQuoting.word(base + "/")
        else { return nil }
        return ["--request-target " + target, url]
    }

    /// Whether curl sends a target unchanged from a URL: a path of unreserved and reserved
    /// characters (RFC 3986 §2), without an empty query, which curl drops.
    private static func survivesInURL(_ target: String) -> Bool {
        target.hasPrefix("/") && !target.hasSuffix("?")
            && target.utf8.allSatisfy { octet in
                octet.isAlphanumeric || "-._~!$&'()*+,;=:@/?%".utf8.contains(octet)
            }
    }

    /// The arguments of `--header`: the recorded lines in order, then those that stop curl from
    /// adding its own.
    private static func fieldLines(of request: StoredRequest) -> [String]? {
        var lines: [String] = []
        var names: Set<String> = []
        for (name, value) in request.withStoredLength(request.validHeaders) {
            names.insert(name.lowercased())
            // For curl, a name with only a colon removes a field.
            lines.append(value.isEmpty ? name + ";" : "\(name): \(value)")
        }
        var own = ["Host", "User-Agent", "Accept"]
        if request.body?.octets.isEmpty == false { own += ["Content-Type", "Expect"] }
        for name in own where !names.contains(name.lowercased()) { lines.append(name + ":") }
        let words = lines.compactMap { ShellQuoting.word($0) }
        return words.count == lines.count ? words : nil
    }

    /// Whether a body can be shown and pasted: short text without control characters other than
    /// line feeds.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= maximumArgumentBytes
            && text.unicodeScalars.allSatisfy { $0 == "\n" || !TerminalText.isHidden($0) }
    }
}

/// Quoting for `sh`.
package enum ShellQuoting {
    /// One literal word for the shell; nil for text with a NUL, which no argument can hold.
    ///
    /// O(size).
    package static func word(_ text: String) -> String? {
        if text.utf8.contains(0) { return nil }
        return "'"
            + text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
}
