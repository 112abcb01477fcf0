// The page for a person whose browser requested something that needs the token or doesn't exist.
//
// Invariant: the same status, fields and sentence as the problem that programs get.

import HTTP1
import JSON
import Problems
import Text

extension LandingPage {
    /// The problem as a page; nil for problems that no person's visit causes.
    package static func problem(_ problem: Problem) -> Response? {
        var content: String
        switch problem.status {
        case .unauthorized:
            content = """
                <p>The results of this server are shown with its token only.</p>
                <p>Load this page again and enter the token as the password, with any user name. \
                The server prints a generated token when it starts; a token of your own is in \
                <code>LANDFALL_TOKEN</code> or the configuration.</p>
                """
        case .notFound where problem.kind == Problem.notFound.kind:
            content =
                "<p>Nothing is served at this address.</p>" + nearest(in: problem)
                    + """
                    <ul><li><a href="/">Results</a>: what landed here</li>
                    <li><a href="/flows.html">Flows</a>: launches and what came back</li>
                    <li><a href="/openapi.json">The API</a>, whose routes begin with \
                    <code>/api/v1/</code></li></ul>
                    """
        case .notFound, .badRequest:
            content = "<p>\(HTML.escaped(problem.detail))</p>" + nearest(in: problem)
        default: return nil
        }
        content += stray(in: problem)
        var response = Response(
            problem.status, contentType: contentType,
            body: Array(document(title: title(of: problem.status), content).utf8))
        response.add("Cache-Control", "no-store")
        for field in problem.fields { response.add(field.name, field.value) }
        addFields(to: &response)
        return response
    }

    private static func title(of status: Status) -> String {
        switch status {
        case .unauthorized: "A token is needed"
        case .notFound: "Not found"
        default: "This address is not valid"
        }
    }

    /// The receivers that a callback may have meant, with what differs.
    private static func nearest(in problem: Problem) -> String {
        let items = member("nearest", of: problem)?.elements.map { receiver in
            let differs = receiver["differs"]?.elements.compactMap(\.string) ?? []
            return "<li><code>\(HTML.escaped(receiver["route"]?.string ?? ""))</code>: "
                + "\(HTML.escaped(differs.joined(separator: "; ")))</li>"
        }
        guard let items, !items.isEmpty else { return "" }
        return "<h2>Similar receivers</h2><ul>\(items.joined())</ul>"
    }

    /// A paragraph with a link to the stray; empty if the request was not kept.
    static func stray(in problem: Problem) -> String {
        guard let id = member("stray", of: problem)?.string else { return "" }
        return #"<p class="soft">The request is kept as <a href="/#\#(id)">\#(id)</a>.</p>"#
    }

    private static func member(_ name: String, of problem: Problem) -> JSONNode? {
        let value = problem.members.first { $0.name == name }?.value
        return value.flatMap { try? JSONDocument(parsing: $0).root }
    }
}
