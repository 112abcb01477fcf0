// The responses to a launch at an emulator: the vendor's screen, a redirect to the callback, a page
// with links for custom schemes, the plan as JSON, or the vendor's reaction to an invalid link.
//
// Invariant: no response is cached or leaks a URL to other sites, because the URLs carry health
// data.

import HTTP1
import JSON
import LinkPatterns
import Problems
import ResultAPI
import Text
import Vendors

/// The response to one launch.
package struct EmulatorReply: Sendable {
    private let opened: OpenedLaunch
    private let answers: [PlannedCallback]
    private let showsScreen: Bool
    private let request: Request

    /// The response to a planned launch.
    package init(_ plan: EmulationPlan, _ request: Request) {
        self.init(
            opened: plan.opened, answers: plan.answers, showsScreen: plan.showsScreen,
            request: request)
    }

    private init(
        opened: OpenedLaunch, answers: [PlannedCallback], showsScreen: Bool = false,
        request: Request
    ) {
        self.opened = opened
        self.answers = answers
        self.showsScreen = showsScreen
        self.request = request
    }

    /// How long the vendor's app takes until it redirects; zero for other responses.
    package var pause: Duration {
        // Reads no URL if there is nothing to wait for.
        guard let after = answers.first?.after, after > .zero, redirection != nil else {
            return .zero
        }
        return after
    }

    /// The response.
    ///
    /// O(size).
    package var response: Response {
        if isRefused { return refusal }
        if showsScreen { return VendorScreen(opened).response }
        // A client that prefers JSON acts as the device and opens the callbacks itself.
        if request.prefersJSON { return plan(.ok) }
        if let redirection { return redirect(to: redirection) }
        guard let first = answers.first else { return silence }
        return LinkURL(first.url).isWebLink ? deliveries : links
    }

    private var isRefused: Bool { !opened.check.isOK || opened.refusal != nil }

    /// The callback to which a browser is redirected; nil for other responses.
    private var redirection: String? {
        guard !isRefused, !showsScreen, !request.prefersJSON, let first = answers.first,
            first.body == nil, LinkURL(first.url).isWebLink
        else { return nil }
        return first.url
    }

    /// Redirects to the partner's app.
    private func redirect(to url: String) -> Response {
        var response = plan(.found)
        response.add("Location", url)
        return response
    }

    /// The page for a vendor's app that does nothing more.
    private var silence: Response {
        if request.acceptsPages {
            let page = EmulatorPage(title: "No callback follows")
            return finished(page.response(.ok, silenceText))
        }
        return finished(Response(.noContent))
    }

    private var silenceText: String {
        if opened.check.launch?.endsOnScreen == true {
            return "<p>The launch ends on a screen of the vendor’s app, "
                + "which sends nothing.</p>"
        }
        return opened.check.callback == nil
            ? "<p>The launch names no callback, so the work ends in the vendor’s app.</p>"
            : "<p>In the scenario <code>\(HTML.escaped(scenarioName))</code> the vendor’s app "
                + "never calls back. The flow counts as lost after a while.</p>"
    }

    private var scenarioName: String { opened.scenario?.description ?? "" }

    /// The page about callbacks that this server posts because no link can carry them.
    private var deliveries: Response {
        guard request.acceptsPages else { return plan(.accepted) }
        let items = answers.map { answer in
            let (type, bytes) = answer.body?.content ?? ("", [])
            return "<p>Posted to <code>\(HTML.escaped(answer.url))</code> as "
                + "<code>\(type)</code>, and not opened here:</p>"
                + "<pre>\(HTML.markup(String(decoding: bytes, as: UTF8.self)))</pre>"
        }
        let page = EmulatorPage(title: "The callback is posted")
        let flow = APIPath.flow(opened.flow)
        return finished(
            page.response(
                .accepted,
                items.joined() + "<p><a href=\"\(flow)\">The flow and its outcome</a></p>"))
    }

    /// Links that open the partner's app, in the order of the callbacks.
    private var links: Response {
        guard request.acceptsPages else { return plan(.ok) }
        let isActivity = opened.check.callback?.kind == .component
        let items = answers.map { answer in
            let wait = answer.after > .zero ? ", after \(answer.after.milliseconds) ms" : ""
            let outcome = answer.outcome?.rawValue ?? "a broken callback"
            let way = isActivity ? Self.command(answer.url) : Self.link(answer.url)
            return "<li>\(way) <span class=\"soft\">\(outcome)\(wait)</span></li>"
        }
        let reason =
            isActivity
            ? "The callback is an Android activity: its app is started, on a device or by adb."
            : "The callback has a scheme of its own: only a tap opens it."
        let page = EmulatorPage(title: "Go back to the partner’s app")
        return finished(
            page.response(
                .ok,
                "<p>\(reason)</p><ul class=\"links\">\(items.joined())</ul>"))
    }

    private static func link(_ url: String) -> String {
        "<a class=\"button\" rel=\"noreferrer\" href=\"\(HTML.escaped(url))\">"
            + "Back to the app</a>"
    }

    /// The command that starts an activity: an intent has no quotation marks, but may have dollar
    /// signs.
    private static func command(_ intent: String) -> String {
        let quoted = intent.replacing("$", with: "\\$")
        return "<code>\(HTML.escaped("adb shell 'am start \"\(quoted)\"'"))</code>"
    }

    /// The plan as JSON, for a client that acts as the device.
    private func plan(_ status: Status) -> Response {
        var json = JSONWriter(reservingCapacity: answers.reduce(512) { $0 + $1.url.utf8.count })
        json.object { json in
            json.member("flow", opened.flow)
            json.member("contract", opened.contract.rawValue)
            json.member("scenario", opened.scenario?.description)
            json.member("seed", opened.seed.map { "\($0)" })
            json.array("callbacks") { json in
                for answer in answers { write(answer, to: &json) }
            }
            json.array("diagnostics") { json in
                for finding in opened.check.diagnostics { finding.write(to: &json) }
            }
            json.object("links") { $0.member("flow", APIPath.flow(opened.flow)) }
        }
        return finished(Response(status, contentType: "application/json", body: json.bytes))
    }

    private func write(_ answer: PlannedCallback, to json: inout JSONWriter) {
        json.object { json in
            json.member("method", answer.body == nil ? "GET" : "POST")
            json.member("url", answer.url)
            if let (type, bytes) = answer.body?.content {
                json.member("content_type", type)
                json.member("body", String(decoding: bytes, as: UTF8.self))
            }
            json.member("after_ms", Int(answer.after.milliseconds))
            json.member("outcome", answer.outcome?.rawValue)
            json.member("former", answer.isForFormerLaunch)
        }
    }

    /// The vendor's reaction to an invalid link, or this server's to a forbidden callback.
    private var refusal: Response {
        let reaction = opened.check.reaction
        let returns = reaction.kind == .returns && !opened.check.isOK
        if let refusal = opened.refusal, opened.check.isOK || returns {
            let page = EmulatorPage(title: "This callback is not followed")
            return finished(
                request.acceptsPages
                    ? page.response(
                        .unprocessableContent,
                        "<p>\(HTML.escaped(refusal.detail))</p>"
                            + "<p class=\"soft\">Refused by the rule \(refusal.rule).</p>"
                            + EmulatorPage.list(opened.check))
                    : refusal.problem.response(in: TraceParent.traceID(of: request)))
        }
        if returns,
            let callback = opened.targets[Launch.callbackParameter(of: opened.contract) ?? ""],
            !request.prefersJSON,
            let answer = PlannedCallback(
                callback, Array((reaction.query ?? "").utf8), after: .zero, outcome: .error)
        {
            let reply = EmulatorReply(opened: opened, answers: [answer], request: request)
            return callback.kind == .web ? reply.redirect(to: answer.url) : reply.links
        }
        if request.acceptsPages { return finished(refusalPage) }
        return finished(problem.response(in: TraceParent.traceID(of: request)))
    }

    private var problem: Problem {
        let reaction = opened.check.reaction
        var diagnostics = JSONWriter()
        diagnostics.array { json in
            for finding in opened.check.diagnostics { finding.write(to: &json) }
        }
        var flow = JSONWriter()
        flow.value(opened.flow)
        var kind = JSONWriter()
        kind.value(reaction.kind.rawValue)
        return Problem(
            status: .unprocessableContent, kind: "launch-refused",
            detail: "The vendor’s app would not do this: \(reaction.rule)",
            findings: opened.check.refusesScheme
                ? [CallbackTarget.Refusal.finding("scheme")] : [],
            members: [
                ("flow", flow.bytes), ("reaction", kind.bytes), ("diagnostics", diagnostics.bytes),
            ])
    }

    private var refusalPage: Response {
        let reaction = opened.check.reaction
        let title =
            reaction.kind == .nothing ? "The vendor’s app would do nothing" : "This link is wrong"
        let page = EmulatorPage(title: title)
        return page.response(
            .unprocessableContent,
            "<p>\(HTML.escaped(reaction.rule))</p>" + EmulatorPage.list(opened.check))
    }

    /// Adds the flow's name, and the fields that keep the URLs private.
    private func finished(_ response: Response) -> Response {
        var response = response
        response.add("Landfall-Flow", opened.flow)
        // A problem has this field already.
        if response.status != .unprocessableContent || request.acceptsPages {
            response.add("Cache-Control", "no-store")
        }
        response.add("Referrer-Policy", "no-referrer")
        return response
    }
}
