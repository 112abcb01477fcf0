// The emulated vendor's screen: the link's parameters, the possible results, and buttons for them.
//
// Invariant: the page is shown after its launch is stored; the person's decision is stored as
// another launch record of the same flow, with the scenario.

import Clocks
import Foundation
import HTTP1
import JSON
import LinkPatterns
import Problems
import ResultStore
import Text
import Vendors

/// The page on which a person acts as the vendor's app.
///
/// Its forms have no `action`, so a browser posts them to the launch link, however long that is
/// (WHATWG HTML, "form submission algorithm").
struct VendorScreen {
    private let opened: OpenedLaunch
    private let seed: UInt64
    private let app: VendorApp?

    /// - Parameter opened: a launch that the vendor's app accepts.
    init(_ opened: OpenedLaunch) {
        self.opened = opened
        let seed = opened.seed ?? UInt64.random(in: VendorApp.seeds)
        self.seed = seed
        app = opened.check.launch.map {
            VendorApp($0, seed: seed, at: opened.receivedAt.unixMilliseconds / 1000)
        }
    }

    /// The page.
    var response: Response {
        var response = EmulatorPage(title: title).response(.ok, content)
        response.add("Landfall-Flow", opened.flow)
        response.add("Cache-Control", "no-store")
        // With "no-referrer", browsers would post its form with `Origin: null`, as pages of other
        // sites can.
        response.add("Referrer-Policy", "same-origin")
        return response
    }

    private var title: String {
        opened.contract.appTitle
    }

    private var content: String {
        let entries = VendorApp.scenarios(of: opened.contract)
        return EmulatorPage.list(opened.check) + (app.flatMap(AnswerForm.init).map(editor) ?? "")
            + "<h2>Or choose how it ends</h2>" + list(entries.filter(\.isCommon))
            + "<details><summary>Late, repeated and broken callbacks</summary>"
            + list(entries.filter { !$0.isCommon }) + "</details>"
    }

    /// The values of a finished launch: as inputs, and folded away as JSON.
    private func editor(_ form: AnswerForm) -> String {
        let inputs = form.inputs.enumerated().map { index, input in
            """
            <div class="input"><label for="input-\(index)">\(HTML.escaped(input.label))</label>
            \(control(of: input, "id=\"input-\(index)\" name=\"\(HTML.escaped(input.pointer))\""))</div>
            """
        }
        let text = String(decoding: IndentedJSON.text(of: form.root), as: UTF8.self)
        return """
            <h2>The answer</h2>
            <form method="post" class="inputs">\(hidden)\(inputs.joined())
            <button type="submit">Back to the app with these</button>
            </form>
            <details><summary>All of it as JSON</summary>
            <form method="post">\(hidden)
            <label for="value">The values that go back, as JSON</label>
            <textarea id="value" name="value" spellcheck="false">\(HTML.markup(text))</textarea>
            <button type="submit">Back to the app with this JSON</button>
            </form></details>
            """
    }

    /// A slider for a bounded number, a list for listed values, and a field for everything else.
    private func control(of input: AnswerForm.Input, _ names: String) -> String {
        let text = HTML.escaped(input.text)
        if !input.choices.isEmpty {
            let given = input.choices.contains(input.text) ? [] : [input.text]
            let options = (given + input.choices).map { choice in
                "<option\(choice == input.text ? " selected" : "")>\(HTML.escaped(choice))</option>"
            }
            let none = input.isOptional ? "<option value=\"\">left out</option>" : ""
            return "<select \(names)>\(options.joined())\(none)</select>"
        }
        if let range = input.range {
            return """
                <input type="range" \(names) min="\(range.lowerBound)" max="\(range.upperBound)" \
                step="\((range.upperBound - range.lowerBound) / 100)" value="\(text)">\
                <output>\(text)</output>
                """
        }
        let kind = input.isNumber ? "type=\"number\" step=\"any\"" : "type=\"text\""
        return
            "<input \(kind) \(names) value=\"\(text)\" autocomplete=\"off\" spellcheck=\"false\">"
    }

    private func list(_ entries: [ScenarioEntry]) -> String {
        let items = entries.map { entry in
            let possible = entry.choices.filter { (try? opened.check($0, isPlayed: false)) != nil }
            let buttons = possible.map { scenario in
                let name = HTML.escaped(scenario.description)
                return
                    "<button class=\"plain\" name=\"scenario\" value=\"\(name)\">\(name)</button> "
            }
            return """
                <li><form method="post">\(hidden)\(buttons.joined())
                <span class="soft">\(HTML.escaped(entry.summary))</span></form></li>
                """
        }
        return "<ul class=\"choices\">\(items.joined())</ul>"
    }

    private var hidden: String {
        "<input type=\"hidden\" name=\"flow\" value=\"\(opened.flow)\">"
            + "<input type=\"hidden\" name=\"seed\" value=\"\(seed)\">"
    }
}

/// A person's decision on the screen.
package struct ScreenDecision: Sendable {
    /// The flow whose launch is already stored.
    package let flow: String
    let scenario: Scenario
    let seed: UInt64?
    /// The edited value as JSON; nil if it was another form.
    private let json: [UInt8]?
    /// The texts of the screen's inputs by pointer; empty if it was another form.
    private let texts: [String: String]

    /// Reads the screen's form; nil if nothing was posted.
    ///
    /// Throws 400 for an invalid form.
    package init?(_ body: [UInt8], of request: Request) throws(Problem) {
        guard request.method == .post else { return nil }
        let spaced = body.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let items = Link(path: [], query: spaced[...])?.query ?? []
        let text = { (name: String) in items.first { $0.name == name }?.value }
        guard let flow = text("flow").flatMap({ RecordID($0) }) else {
            throw Self.refusal("flow", "Open the launch by GET; only its own screen posts here.")
        }
        self.flow = flow.description
        json = text("value").map { Array($0.utf8) }
        texts = Dictionary(
            items.filter { $0.name.hasPrefix("/") }.map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first })
        scenario = try EmulatorControls.scenario(text("scenario"), of: nil) ?? .completed
        seed = try EmulatorControls.seed(text("seed"))
    }

    /// The value that a person has edited; nil if the app sends its own.
    func value(of app: VendorApp) -> [UInt8]? {
        json ?? (texts.isEmpty ? nil : AnswerForm(of: app)?.value(with: texts))
    }

    /// The problem for an invalid form.
    package static func refusal(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: .badRequest, kind: "invalid-form", detail: detail,
            findings: [Problem.Finding(name: name, detail: detail)])
    }
}
