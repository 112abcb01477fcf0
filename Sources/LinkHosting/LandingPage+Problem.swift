// The page for a person whose browser asked for what it may not have, or what isn't there.
//
// Invariant: the same status, fields and sentence as the problem that programs get.

import HTTP1
import Problems
import Text

extension LandingPage {
    /// The problem as a page; nil for problems that no person's visit causes.
    package static func problem(_ problem: Problem) -> Response? {
        let content: String
        switch problem.status {
        case .unauthorized:
            content = """
                <p>The results of this server are shown with its token only.</p>
                <p>Load this page again and enter the token as the password, with any user name. \
                The server prints a token that it made up when it starts; a token of your own is in \
                <code>LANDFALL_TOKEN</code> or the configuration.</p>
                """
        case .notFound:
            content = """
                <p>Nothing is served at this address.</p>
                <ul><li><a href="/">Results</a>: what landed here</li>
                <li><a href="/flows.html">Flows</a>: launches and what came back</li>
                <li><a href="/openapi.json">The API</a>, whose routes begin with \
                <code>/api/v1/</code></li></ul>
                """
        default: return nil
        }
        var response = Response(
            problem.status, contentType: contentType,
            body: Array(document(title: title(of: problem.status), content).utf8))
        response.add("Cache-Control", "no-store")
        for field in problem.fields { response.add(field.name, field.value) }
        addFields(to: &response)
        return response
    }

    private static func title(of status: Status) -> String {
        status == .unauthorized ? "A token is needed" : "Not found"
    }
}
