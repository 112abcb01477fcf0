// Checks how a link file is served, as Apple's and Google's servers would receive it. Left out: the
// request; the caller makes it without following redirects.

import JSON
import LinkPatterns

/// A server's response to the request for a link file.
public struct HostedFile: Sendable {
    /// The kinds of link files.
    public enum Kind: String, Sendable, CaseIterable {
        /// `apple-app-site-association`.
        case association
        /// `assetlinks.json`.
        case assetLinks = "assetlinks"

        /// Where the file must be (Apple, *Supporting associated domains*; Google, *Digital Asset
        /// Links*).
        public var path: String { "/.well-known/" + name }

        /// The file's name.
        public var name: String {
            switch self {
            case .association: "apple-app-site-association"
            case .assetLinks: "assetlinks.json"
            }
        }
    }

    /// The kind of the requested file.
    public let kind: Kind

    /// The requested URL.
    public let url: LinkURL

    /// The status of the response, 100 to 599.
    public let status: Int

    /// The field `Location`; nil if absent.
    public let location: String?

    /// The field `Content-Type`; nil if absent.
    public let contentType: String?

    /// The content, decoded.
    public let content: [UInt8]

    /// Time from the request to the end of the response; nil if it was not measured.
    public let time: Duration?

    /// The timeout of Apple's fetcher.
    public static let patience = Duration.seconds(5)

    /// Makes a response.
    public init(
        _ kind: Kind, at url: LinkURL, status: Int, location: String?, contentType: String?,
        content: [UInt8], time: Duration? = nil
    ) {
        self.kind = kind
        self.url = url
        self.status = status
        self.location = location
        self.contentType = contentType
        self.content = content
        self.time = time
    }

    /// Findings about how the file is served, not about its content.
    public func findings() -> [Finding] {
        var findings: [Finding] = []
        let add = { (code: FindingCode, severity: Finding.Severity, message: String) in
            findings.append(
                Finding(
                    code: code, severity: severity, pointer: "",
                    position: JSONPosition(offset: 0, in: []), message: message))
        }
        if url.scheme?.lowercased() != "https" {
            add(
                .insecureURL, .error,
                "The file is fetched by https only, with a publicly trusted certificate.")
        } else if let port = url.port, port != "443" {
            add(.wrongPort, .error, "The file is fetched from port 443 only, never from \(port).")
        }
        if 300..<400 ~= status {
            let place = location.map { " to \($0)" } ?? ""
            add(
                .redirect, .error,
                "Status \(status) redirects\(place), which isn't followed: serve the file here.")
        } else if status != 200 {
            add(.badStatus, .error, "Status \(status) instead of 200.")
        } else {
            addContentType(add)
        }
        if kind == .association, let time, time > Self.patience {
            add(
                .slowAnswer, .error,
                "The response took \(time.components.seconds) s, and Apple's fetcher gives up after "
                    + "\(Self.patience.components.seconds) s: serve the file from memory, and not "
                    + "from a service that has to start first.")
        }
        addPath(add)
        return findings
    }

    private func addPath(_ add: (FindingCode, Finding.Severity, String) -> Void) {
        // Apple's own server has the files of all sites.
        if url.path == kind.path || url.serverName == "app-site-association.cdn-apple.com" {
            return
        }
        let isRoot = kind == .association && url.path == "/apple-app-site-association"
        let fetchers = kind == .association ? "Devices and Apple's" : "Android and Google's"
        add(
            isRoot ? .onlyAtRoot : .wrongPath, .error,
            "\(fetchers) servers ask for \(kind.path) only: serve the file there.")
    }

    private func addContentType(_ add: (FindingCode, Finding.Severity, String) -> Void) {
        let type =
            contentType?.prefix { $0 != ";" }.lowercased()
            .trimmingSpaces() ?? "none"
        if type == "application/json" { return }
        if kind == .association, type == "application/pkcs7-mime" { return }
        add(
            .contentType, kind == .association ? .warning : .error,
            "Content-Type is \(type); it should be application/json.")
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(reversed().drop { $0 == " " }.reversed().drop { $0 == " " })
    }
}
