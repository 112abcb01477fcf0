// A stored request as a command that sends it again: method, target, field lines in their order,
// and the exact octets of the body.
//
// Invariant: whatever a record holds, the text is one pipeline of `printf`, `base64` and `curl`
// that reads no file. Left out: what a record doesn't keep (chunks, the space around field values,
// credentials), and the place of Host, which curl always sends first.

import FoundationEssentials
import Text

/// A command for a POSIX shell that sends the request of a record with curl.
package struct CurlCommand {
    /// Bytes of the longest body that becomes an argument; Linux allows 128 KiB for one.
    private static let maximumArgumentBytes = 64 * 1024

    /// The command, its line end included.
    package let text: String

    /// Writes the command for the text of a record.
    ///
    /// O(size). Nil when the record can't be read, or holds what can't be sent: a method or field
    /// name that is no token, a line break in a value.
    ///
    /// - Parameter base: where to connect, such as `http://127.0.0.1:8080`; the Host field stays as
    ///   recorded. Nil for the server that the record names.
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
                // Unlike `--data-binary`, never takes a leading @ for the name of a file.
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
    /// Whether curl can put each part where it belongs.
    ///
    /// A name that is no token could be more: curl reads `@name` as the name of a file.
    private static func isSendable(_ request: ExportedRequest) -> Bool {
        HTTPText.isToken(request.method) && HTTPText.isTarget(request.target)
            && (request.host.isEmpty || HTTPText.isTarget(request.host))
            && ["http", "https"].contains(request.scheme)
            && request.headers.allSatisfy {
                HTTPText.isToken($0.name) && HTTPText.isFieldValue($0.value)
            }
    }

    /// The URL, with the target beside it where curl would write another one; nil without a host.
    private static func address(of request: ExportedRequest, base: String?) -> [String]? {
        if base == nil, request.host.isEmpty { return nil }
        var base = base ?? "\(request.scheme)://\(request.host)"
        if base.hasSuffix("/") { base.removeLast() }
        if survivesInURL(request.target) {
            return ShellQuoting.word(base + request.target).map { [$0] }
        }
        guard let target = ShellQuoting.word(request.target),
            let url = ShellQuoting.word(base + "/")
        else { return nil }
        return ["--request-target " + target, url]
    }

    /// Whether curl takes a target from a URL as it is: a path, unreserved and reserved characters
    /// (RFC 3986 §2), and no empty query, which curl drops.
    private static func survivesInURL(_ target: String) -> Bool {
        target.hasPrefix("/") && !target.hasSuffix("?")
            && target.utf8.allSatisfy { octet in
                octet.isAlphanumeric || "-._~!$&'()*+,;=:@/?%".utf8.contains(octet)
            }
    }

    /// The arguments of `--header`: the record's lines in order, then those that keep curl from
    /// adding its own.
    private static func fieldLines(of request: ExportedRequest) -> [String]? {
        let octets = request.body?.octets.count ?? 0
        let isInflated = request.body?.isInflated ?? false
        var lines: [String] = []
        var names: Set<String> = []
        for header in request.headers {
            var (name, value) = header
            switch name.lowercased() {
            case "content-encoding" where isInflated: continue
            case "content-length", "transfer-encoding":
                // The length is the one of the body that is sent, whatever way it came.
                if !names.insert("content-length").inserted { continue }
                name = name.lowercased() == "content-length" ? name : "Content-Length"
                value = String(octets)
            default: names.insert(name.lowercased())
            }
            // To curl, a name with a colon and nothing else takes a line away.
            lines.append(value.isEmpty ? name + ";" : "\(name): \(value)")
        }
        let own = ["Host", "User-Agent", "Accept"]
        let ownWithBody = ["Content-Type", "Expect"]
        for name in octets > 0 ? own + ownWithBody : own where !names.contains(name.lowercased()) {
            lines.append(name + ":")
        }
        let words = lines.compactMap { ShellQuoting.word($0) }
        return words.count == lines.count ? words : nil
    }

    /// Whether a body is text to be read and pasted: short, and without characters that a terminal
    /// acts upon, but for line feeds.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= maximumArgumentBytes
            && text.unicodeScalars.allSatisfy { $0 == "\n" || !TerminalText.isHidden($0) }
    }
}
