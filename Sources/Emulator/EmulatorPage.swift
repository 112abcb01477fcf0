// The layout of all pages of the emulated apps.
//
// Invariant: one document without external resources, whose only script shows a slider's value; the
// caller escapes text from outside.

import Crypto
import Foundation
import HTTP1
import Text
import Vendors

/// A page of an emulated vendor's app.
struct EmulatorPage {
    let title: String

    /// - Parameter content: HTML.
    func response(_ status: Status, _ content: String) -> Response {
        var response = Response(
            status, contentType: "text/html; charset=utf-8", body: Array(html(content).utf8))
        response.add("Content-Security-Policy", Self.policy)
        response.isCompressible = true
        return response
    }

    private func html(_ content: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title) · Landfall</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <style>\(Self.style)</style>
        <script>\(Self.script)</script>
        </head>
        <body>
        <main>
        <p class="soft">Emulated by Landfall</p>
        <h1>\(title)</h1>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    /// The parameters of the link and its diagnostics.
    static func list(_ check: LaunchCheck) -> String {
        let rows = check.parameters.map { parameter in
            "<div><dt>\(HTML.escaped(parameter.name))</dt>"
                + "<dd>\(HTML.escaped(check.shown(parameter)))</dd></div>"
        }
        let findings = check.diagnostics.map { finding in
            let hint = finding.hint.map { "<br>\(HTML.escaped($0))" } ?? ""
            return "<li><strong>\(finding.severity.rawValue)</strong>: expected "
                + "\(HTML.escaped(finding.expected)), found "
                + "\(HTML.escaped(finding.found))\(hint)</li>"
        }
        return (rows.isEmpty ? "" : "<h2>The launch</h2><dl>\(rows.joined())</dl>")
            + (findings.isEmpty ? "" : "<h2>Diagnostics</h2><ul>\(findings.joined())</ul>")
    }

    /// Allows this style sheet and this script only.
    ///
    /// Form targets are not restricted: the responses redirect to the partner's callback.
    private static let policy =
        "default-src 'none'; style-src '\(digest(of: style))'; script-src '\(digest(of: script))'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    private static func digest(of text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }

    private static let script = """
        addEventListener("input",({target:{value,nextElementSibling:shown}})=>{\
        if(shown?.localName==="output")shown.value=value})
        """

    private static let style = """
        :root{color-scheme:light dark;--ink:#16212a;--soft:#54626e;--ground:#f3f6f7;--line:#dde4e8;\
        --call:#0b5c6b;--on-call:#fff}\
        @media(prefers-color-scheme:dark){:root{--ink:#e4eaee;--soft:#a1b0bb;--ground:#0e1418;\
        --line:#29353e;--call:#7fd3e0;--on-call:#08222a}}\
        body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}\
        main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem}\
        h1{font-size:1.4rem;margin-top:0}h2{font-size:1.1rem;margin-top:2rem}\
        dl div{display:flex;gap:1rem;border-bottom:1px solid var(--line);padding:.25rem 0}\
        dt{flex:0 0 9rem;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;min-width:0}\
        .soft{color:var(--soft);margin:0 0 .25rem;overflow-wrap:anywhere}\
        li{margin:.5rem 0;overflow-wrap:anywhere}ul.links,ul.choices{list-style:none;padding:0}\
        button,.button{font:inherit;display:inline-block;padding:.5rem 1rem;border-radius:.4rem;\
        border:1px solid var(--call);background:var(--call);color:var(--on-call);\
        text-decoration:none;cursor:pointer}\
        button.plain{background:none;color:var(--call);margin:0 .1rem .25rem 0}\
        textarea{box-sizing:border-box;width:100%;min-height:14rem;color:inherit;background:none;\
        border:1px solid var(--line);border-radius:.4rem;padding:.5rem;margin-bottom:.75rem;\
        font:.9rem/1.4 ui-monospace,monospace}\
        .inputs{display:grid;gap:.6rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr))}\
        .inputs button{justify-self:start;grid-column:1/-1}summary{cursor:pointer;padding:.25rem 0}\
        details{margin-top:1rem}.input{min-width:0}.input output{margin-left:.5rem;vertical-align:middle}\
        .input input,.input select{font:inherit;color:inherit;background:var(--ground);min-height:2rem;\
        border:1px solid var(--soft);border-radius:.4rem;padding:.2rem .4rem;box-sizing:border-box;width:100%}\
        .input input[type=range]{width:75%;accent-color:var(--call);padding:0;vertical-align:middle}\
        label{display:block;margin-bottom:.25rem}code,pre{font-family:ui-monospace,monospace}\
        pre{white-space:pre-wrap;overflow-wrap:anywhere}code{overflow-wrap:anywhere}
        """
}
