// Decides between a page and JSON for a request (RFC 9110 §12.5.1).
//
// Invariant: only a browser that prefers pages, or a client that takes no JSON at all, gets a page.
// A library that copies a browser's `Accept` is a program: it gets the JSON that it accepts too.

import HTTP1

extension Request {
    /// Whether the response is a page: the client names pages, and either takes no JSON or is a
    /// browser that prefers pages to JSON.
    package var acceptsPages: Bool {
        let accepted = AcceptedTypes(self)
        guard accepted.names("text/html"), let page = accepted.match("text/html") else {
            return false
        }
        guard let json = accepted.match("application/json"), json.weight > 0 else { return true }
        return isFromBrowser
            && (page.weight, page.specificity) > (json.weight, json.specificity)
    }

    /// Whether `Accept` names JSON, and the response isn't a page.
    package var prefersJSON: Bool {
        AcceptedTypes(self).names("application/json") && !acceptsPages
    }

    /// Whether a browser sent the request: all of them begin `User-Agent` like the first one did.
    private var isFromBrowser: Bool {
        String(decoding: first(.userAgent)?.prefix(8) ?? [], as: UTF8.self).lowercased()
            == "mozilla/"
    }
}

extension FieldName {
    package static let accept = FieldName("accept")
    package static let userAgent = FieldName("user-agent")
}
