// The web page's files in memory: a flat folder, so no request path ever becomes a file path.

import Files
import HTTP1
import Problems
import Settings

/// The files of the page, by name.
package struct PageFiles: Sendable {
    let files: [String: StaticResource]

    /// No external, inline or framed content, but for images that are part of a script: the icon of
    /// a tab that has lost the server.
    ///
    /// Only documents have policies: in the other 30 files of a view they would be a fifth of its bytes.
    private static let policies = [
        ("Content-Security-Policy", contentSecurityPolicy), ("Referrer-Policy", "no-referrer"),
    ]

    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let contentTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png",
        "ico": "image/x-icon", "json": "application/json", "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]

    /// Reads all files of `folder`, but none of its subfolders; without a folder, no page is served.
    ///
    /// Throws `unreadable`, also if `index.html` is missing.
    package init(folder: String?) throws(ConfigurationError) {
        guard let folder else {
            files = [:]
            return
        }
        var files: [String: StaticResource] = [:]
        let names = try ConfigurationError.reading { () throws(FileError) in
            try Folder.list(folder)
        }
        for name in names where !Folder.isFolder(folder + "/" + name) {
            let content = try ConfigurationError.reading { () throws(FileError) in
                try Folder.content(of: folder + "/" + name)
            }
            let suffix = name.split(separator: ".").last.map(String.init) ?? ""
            files[name] = StaticResource(
                content, contentType: Self.contentTypes[suffix] ?? "application/octet-stream",
                entityTag: EntityTag.of(content),
                lastModified: Folder.lastModified(folder + "/" + name).map {
                    HTTPDate(unixSeconds: $0)
                },
                fields: [("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff")]
                    + (["html", "svg"].contains(suffix) ? Self.policies : []))
        }
        guard files["index.html"] != nil else {
            throw .unreadable(
                path: folder + "/index.html", reason: "there is no file or folder of this name")
        }
        self.files = files
    }
}
