// The timeline of a trip on a terminal.
//
// Invariant: nothing that the server reports can control the terminal.

import Emulator
import JSON
import ResultStore
import Text

extension TripReport {
    /// The timeline for people.
    func text(_ style: TerminalStyle) -> String {
        var lines = [
            style.strong("\(plan.contract.rawValue)  \(plan.scenario)")
                + style.faint("  seed \(plan.seed)"),
            style.faint(TerminalText.visible(link)), "",
        ]
        for message in found["messages"].map({ Array($0.elements) }) ?? [] {
            lines += text(of: message, style)
        }
        let latency = found["latency_ms"]?.int.map { " after \($0) ms" } ?? ""
        // A trigger has no callback: the link itself is the flow's callback.
        let state =
            isLinkAlone
            ? "opened\(latency)" : TerminalText.visible(found["state"]?.string ?? "") + latency
        lines.append("")
        if problems.isEmpty {
            lines.append("\(style.good("✓")) \(state), as the scenario says")
        } else {
            lines.append("\(style.bad("✗")) \(state)")
            lines += problems.map { "  " + style.bad(TerminalText.visible($0)) }
        }
        return lines.joined(separator: "\n")
    }

    private func text(of message: JSONNode, _ style: TerminalStyle) -> [String] {
        let moment = "+\(message["after_ms"]?.int ?? 0) ms"
        let kind = message["kind"]?.string ?? ""
        let padding = String(repeating: " ", count: max(1, 10 - moment.count))
        let method = message["record"]?["request"]?["method"]?.string ?? ""
        let isLaunch = kind == RecordKind.launch.rawValue
        var words = [
            isLaunch
                ? method == "POST" ? "the link is made" : "the vendor’s app is opened"
                : kind == RecordKind.delivery.rawValue
                    ? "the emulator delivers"
                    : isLinkAlone ? "the link is opened" : "the callback arrives"
        ]
        if let outcome = message["outcome"]?.string { words.append(outcome) }
        if !isLaunch, let verdict = message["verdict"]?.string { words.append(verdict) }
        let event = TerminalText.visible(words.joined(separator: " · "))
        var lines = ["  \(style.faint(moment))\(padding)\(event)"]
        if !isLaunch, let finding = Self.firstFinding(message) {
            let layer = finding["layer"]?.string ?? ""
            let place = finding["offset"]?.int.map { " at byte \($0)" } ?? ""
            let expected = finding["expected"]?.string ?? ""
            let found = finding["found"]?.string ?? ""
            lines.append(
                TerminalText.visible(
                    "            \(layer)\(place): expected \(expected), found \(found)"))
        }
        return lines
    }
}
