// The page for a person whose browser followed a callback link: what arrived, and why no app
// opened.
//
// Invariant: text from outside is escaped. One document without scripts and external resources: the
// web page's own files require a token, which this visitor doesn't have.

import AppLinks
import Crypto
import Foundation
import HTTP1
import JSON
import LinkPatterns
import Problems
import ResultStore
import Text
import Vendors

/// The response to a callback in a browser.
package struct LandingPage {
    private let record: NewRecord
    /// The decoded value, without values that lists hide too.
    private let shown: JSONNode?
    private let diagnosticList: [Diagnostic]
    private let receipt: Receipt
    private let url: LinkURL?
    private let site: Sites.Site?
    /// A trigger's goal, for people.
    private let goal: String?

    /// - Parameters:
    ///   - url: the followed link; nil if the callback is not a link.
    ///   - site: of the link's host.
    package init(
        _ record: NewRecord, _ diagnostics: [Diagnostic], _ receipt: Receipt, _ url: LinkURL?,
        _ site: Sites.Site?, goal: String? = nil
    ) {
        self.goal = goal
        self.record = record
        diagnosticList = diagnostics
        // Pages are seen over shoulders and shared as screenshots.
        shown = record.result.flatMap { value in
            let text = Redaction.hideShared(in: value.bytes)
            return text == value.bytes ? value.root : try? JSONDocument(parsing: text).root
        }
        self.receipt = receipt
        self.url = url
        self.site = site
    }

    package static let contentType = "text/html; charset=utf-8"

    /// The response with this page as content.
    ///
    /// - Parameter reply: makes the response from the content.
    package func response(_ reply: (_ page: [UInt8]) -> Response) -> Response {
        var response = reply(Array(html.utf8))
        Self.addFields(to: &response)
        return response
    }

    /// The page for a link to a hosted site that matches no receiver: 404, with the reason why no
    /// app opened.
    ///
    /// - Parameter problem: what programs get.
    package static func explanation(
        of url: LinkURL, by site: Sites.Site, _ problem: Problem
    ) -> Response {
        let html = document(
            title: "No callback arrives here",
            "<p>No receiver matches this URL.</p>" + reasons(for: url, site) + stray(in: problem))
        var response = Response(
            .notFound, contentType: contentType, body: Array(html.utf8))
        response.add("Cache-Control", "no-store")
        addFields(to: &response)
        return response
    }

    static func addFields(to response: inout Response) {
        response.add("Content-Security-Policy", policy)
        response.isCompressible = true
    }

    /// Allows this one style sheet only.
    private static let policy: String = {
        let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
    }()

    private var html: String {
        Self.document(
            title: title,
            """
            \(goal.map { "<p>\(HTML.escaped($0))</p>" } ?? "")
            \(facts)
            \(value)
            \(diagnostics)
            \(url.map { Self.reasons(for: $0, site) } ?? "")
            <p class="soft">Stored as <a href="/#\(receipt.id)">\(receipt.id)</a>.</p>
            """)
    }

    /// A whole page.
    ///
    /// - Parameter content: markup after the heading.
    static func document(title: String, _ content: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(HTML.escaped(title)) · Landfall</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <style>\(style)</style>
        </head>
        <body>
        <main>
        <h1>\(HTML.escaped(title))</h1>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    private var title: String {
        let contract = record.contract.flatMap { Contract(rawValue: $0) }
        if let title = contract?.declaration.arrivalTitle(shown) { return title }
        return switch Verdict(rawValue: record.verdict) {
        case .undecodable: "A callback arrived, and can’t be read"
        case .decodedWithWarnings: "A callback arrived, with warnings"
        default: "A callback arrived"
        }
    }

    private var facts: String {
        let pairs = [
            ("Vendor", record.vendor), ("Contract", record.contract), ("Outcome", record.outcome),
            ("Verdict", record.verdict), ("Inbox", record.inbox),
        ]
        let rows = pairs.compactMap { name, value in
            value.map { "<div><dt>\(name)</dt><dd>\(HTML.escaped($0))</dd></div>" }
        }
        return "<dl>\(rows.joined())</dl>"
    }

    /// The scalars of the decoded value.
    private var value: String {
        guard let shown, shown.kind == .object else { return "" }
        let rows = shown.members.map { member in
            let text =
                member.value.string
                ?? String(decoding: member.value.text.prefix(2000), as: UTF8.self)
            return "<div><dt>\(HTML.escaped(member.name.string ?? ""))</dt>"
                + "<dd>\(HTML.escaped(String(text.prefix(2000))))</dd></div>"
        }
        return rows.isEmpty ? "" : "<h2>Decoded</h2><dl>\(rows.joined())</dl>"
    }

    private var diagnostics: String {
        if diagnosticList.isEmpty { return "" }
        let items = diagnosticList.map { diagnostic in
            let hint = diagnostic.hint.map { "<br>\(Self.shared($0))" } ?? ""
            return "<li><strong>\(diagnostic.severity.rawValue)</strong>: expected "
                + "\(Self.shared(diagnostic.expected)), found \(Self.shared(diagnostic.found))"
                + "\(hint)</li>"
        }
        let isFlawed = diagnosticList.contains { $0.severity != .info }
        let heading = isFlawed ? "What is wrong with it" : "Notes on it"
        return "<h2>\(heading)</h2><ul>\(items.joined())</ul>"
    }

    /// A text as markup, without values that lists hide too.
    private static func shared(_ text: String) -> String {
        HTML.escaped(String(decoding: Redaction.hideShared(in: Array(text.utf8)), as: UTF8.self))
    }

    private static let style = """
        :root{color-scheme:light dark;--ink:#16212a;--soft:#54626e;--ground:#f3f6f7;--line:#dde4e8;\
        --bad:#a3242b}\
        @media(prefers-color-scheme:dark){:root{--ink:#e4eaee;--soft:#a1b0bb;--ground:#0e1418;\
        --line:#29353e;--bad:#ffa3a0}}\
        body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}\
        main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem}\
        h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\
        dl div{display:flex;gap:1rem;border-bottom:1px solid var(--line);padding:.25rem 0}\
        dt{flex:0 0 9rem;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;min-width:0}\
        a{color:inherit}.soft{color:var(--soft);margin-top:2rem;overflow-wrap:anywhere}\
        p,li{overflow-wrap:anywhere}li{margin:.4rem 0}code,pre{font-family:ui-monospace,monospace}\
        pre{overflow-x:auto;border:1px solid var(--line);padding:.5rem;margin:.25rem 0}\
        mark{background:none;color:var(--bad);font-weight:bold}
        """
}

extension LandingPage {
    /// Maximum bytes of a URL that a page explains: explaining compares all of it with every rule.
    package static let explainedBytes = 8192

    /// Why no app opened, as far as a server can know.
    private static func reasons(for url: LinkURL, _ site: Sites.Site?) -> String {
        guard let host = url.serverName else { return "" }
        let name = HTML.escaped(host)
        guard let file = site?.association else {
            let loan = site?.defaultSite.map {
                "<strong>\(name)</strong> gets the link file of the default site, "
                    + "<strong>\(HTML.escaped($0))</strong>."
            }
            let absence =
                site?.assetLinks == nil
                ? "No link file is served for <strong>\(name)</strong>, so its links open no app."
                : "No apple-app-site-association is served for <strong>\(name)</strong>, so its "
                    + "links open no app on Apple’s devices. Android’s file is served, and Android "
                    + "decides by it and the app’s manifest."
            return section("<p>\(loan ?? absence)</p>")
        }
        guard let association = file.association else {
            return section("<p>The link file of <strong>\(name)</strong> is invalid JSON.</p>")
        }
        guard url.bytes.count <= explainedBytes else {
            return section(
                "<p>This URL is too long to be explained here. <code>landfall association explain"
                    + "</code> explains it.</p>")
        }
        let explanation = association.explain(url)
        let note = association.dependsOnFragment(url) ? fragmentNote : ""
        switch explanation.verdict.decision {
        case .match: return section(fellThrough(explanation, name) + note)
        case .exclude:
            let place = HTML.escaped(explanation.verdict.pointer ?? "")
            return section(
                "<p>The link file of <strong>\(name)</strong> leaves this URL to the browser: "
                    + "<code>\(place)</code>, line \(explanation.verdict.line ?? 0).</p>" + note)
        case .noMatch:
            if let reason = explanation.verdict.reason, reason != .noRule {
                return section(
                    "<p>The link file of <strong>\(name)</strong> opens no app for this URL. "
                        + "\(HTML.escaped(reason.sentence))</p>")
            }
            let steps = explanation.steps.filter { $0.mismatch != nil }
            let list = steps.prefix(shownSteps).map(step).joined()
            let others = steps.count - shownSteps
            return section(
                "<p>No rule in the link file of <strong>\(name)</strong> matches this URL.</p>"
                    + note + (list.isEmpty ? "" : "<ul>\(list)</ul>")
                    + (others > 0 ? "<p>\(others.counted("more rule")) didn’t match.</p>" : ""))
        }
    }

    private static let fragmentNote =
        "<p>This holds for the link without a fragment, what follows <code>#</code>. Browsers don’t "
        + "send it, and a rule looks at it: <code>landfall association explain</code> decides with "
        + "the whole link.</p>"

    private static func section(_ content: String) -> String {
        "<h2>Why no app opened</h2>\(content)"
    }

    private static func fellThrough(_ explanation: LinkExplanation, _ host: String) -> String {
        let verdict = explanation.verdict
        let apps = explanation.opening.map { "<strong>\(HTML.escaped($0))</strong>" }
        let app = apps.first ?? ""
        let isOnly = apps.count == 1
        let list =
            isOnly
            ? app
            : "the first of these that is installed: \(apps.joined(separator: ", ")). For \(app)"
        let rule =
            "<code>\(HTML.escaped(verdict.pointer ?? ""))</code>, line \(verdict.line ?? 0) of the "
            + "link file of \(host), matches this URL."
        let checks = [
            "\(isOnly ? app : "one of these apps") is installed on this device, which is one of "
                + "Apple’s;",
            "its entitlements have <code>applinks:\(host)</code>;",
            "the link was tapped in another app: one that is typed, pasted, or tapped on a page of "
                + "\(host) itself stays in the browser;",
            "nobody has chosen the browser for this domain by a long press;",
            "the link file is older than a day, or the app was installed since: Apple’s servers "
                + "and devices keep copies, up to about a week.",
        ]
        let items = checks.map { "<li>\($0)</li>" }.joined()
        return "<p>It should have opened \(list): \(rule)</p><p>Check that</p><ul>\(items)</ul>"
    }

    private static func step(_ step: LinkExplanation.Step) -> String {
        guard let mismatch = step.mismatch else { return "" }
        let pattern = split(mismatch.pattern, at: mismatch.patternOffset)
        let shown = sharedText(of: mismatch)
        // The mark begins at the first hidden value at the latest.
        let same = zip(shown.utf8, mismatch.text.utf8).prefix { $0 == $1 }.count
        let text = split(shown, at: min(mismatch.textOffset, same))
        return "<li>Line \(step.position.line), \(HTML.escaped(mismatch.part.name))"
            + "<pre>pattern \(pattern)\ntext    \(text)</pre>"
            + (mismatch.note.map { HTML.escaped($0) } ?? "") + "</li>"
    }

    /// The text of the URL, without credentials and values that lists hide.
    private static func sharedText(of mismatch: LinkExplanation.Mismatch) -> String {
        if case .queryItem(let name) = mismatch.part, !mismatch.text.isEmpty,
            Redaction.isShared(name) || Redaction.isCredential(Array(name.utf8)[...])
        {
            return Redaction.hiddenMark
        }
        let text = Redaction.redactBody(Array(mismatch.text.utf8))
        return String(decoding: Redaction.hideShared(in: text), as: UTF8.self)
    }

    /// Maximum rules that a page lists.
    private static let shownSteps = 50

    /// Maximum bytes of a text that are shown on each side of an offset.
    private static let shownBytes = 100

    /// The text around an offset, marked from there, where it stops matching.
    private static func split(_ text: String, at offset: Int) -> String {
        let bytes = text.utf8
        // Never within a character.
        func place(_ offset: Int) -> String.Index {
            var index = bytes.index(bytes.startIndex, offsetBy: min(max(offset, 0), bytes.count))
            while index < bytes.endIndex, bytes[index] & 0xC0 == 0x80 {
                index = bytes.index(before: index)
            }
            return index
        }
        let (first, parting) = (place(offset - shownBytes), place(offset))
        let last = place(offset + shownBytes)
        let begin =
            (first > text.startIndex ? "…" : "") + HTML.escaped(String(text[first..<parting]))
        let end =
            HTML.escaped(String(text[parting..<last])) + (last < text.endIndex ? "…" : "")
        return end.isEmpty ? begin : "\(begin)<mark>\(end)</mark>"
    }
}
