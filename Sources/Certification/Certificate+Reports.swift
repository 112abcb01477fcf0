// The certificate for other readers: JUnit's XML, as CI servers read it, and a page of its own.
//
// Invariant: every text is escaped; nothing in a page is loaded from elsewhere.

import Text

extension Certificate {
    /// JUnit's XML: a suite for each group, a case for each check.
    package var junit: String {
        var xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        xml +=
            #"<testsuites name="landfall certify \#(contract.rawValue)" tests="\#(results.count)" "#
        xml +=
            #"failures="\#(failed)" skipped="\#(skipped)" time="\#(Self.seconds(results))">"# + "\n"
        for group in Check.Group.allCases {
            let own = results.filter { $0.group == group }
            if own.isEmpty { continue }
            let failures = own.count { $0.word == "failed" }
            let skips = own.count { $0.word == "skipped" }
            xml += #"  <testsuite name="\#(group.rawValue)" tests="\#(own.count)" "#
            xml +=
                #"failures="\#(failures)" skipped="\#(skips)" time="\#(Self.seconds(own))">"# + "\n"
            for result in own { xml += "    " + element(result) + "\n" }
            xml += "  </testsuite>\n"
        }
        return xml + "</testsuites>\n"
    }

    private func element(_ result: CheckResult) -> String {
        let name = HTML.escaped(result.name)
        let start =
            #"<testcase classname="\#(contract.rawValue).\#(result.group.rawValue)" "#
            + #"name="\#(name)" time="\#(Self.seconds([result]))""#
        let sentence = HTML.escaped(result.sentence ?? "")
        return switch result.ending {
        case .passed: start + "/>"
        case .failed: start + #"><failure message="\#(sentence)"/></testcase>"#
        case .skipped: start + #"><skipped message="\#(sentence)"/></testcase>"#
        }
    }

    /// The time of results in seconds, with three decimals.
    private static func seconds(_ results: [CheckResult]) -> String {
        let milliseconds = results.reduce(0) { $0 + ($1.milliseconds ?? 0) }
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// A page with all results.
    package var html: String {
        let title = "\(isGood ? "Passed" : "Failed"): \(contract.rawValue) at \(url)"
        var page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(HTML.escaped(title))</title>
            <style>
            :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
            body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
            table { border-collapse: collapse; width: 100% }
            th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884 }
            td:nth-child(3), td:nth-child(4) { text-align: right; white-space: nowrap }
            .failed { color: #c00; font-weight: 600 } .skipped { opacity: .7 }
            @media (prefers-color-scheme: dark) { .failed { color: #f77 } }
            </style>
            <h1>\(isGood ? "Passed" : "Failed")</h1>
            <p><code>\(HTML.escaped(url))</code> receives callbacks of \
            <code>\(contract.rawValue)</code>: \(passed) passed, \(failed) failed, \
            \(skipped) skipped. Seed \(seed).</p>

            """
        for group in Check.Group.allCases {
            let own = results.filter { $0.group == group }
            if own.isEmpty { continue }
            page += "<h2>\(group.rawValue)</h2>\n<table>\n<thead><tr><th scope=\"col\">Result</th>"
            page += "<th scope=\"col\">Check</th><th scope=\"col\">Status</th>"
            page += "<th scope=\"col\">Time</th></tr></thead>\n<tbody>\n"
            for result in own { page += row(result) }
            page += "</tbody>\n</table>\n"
        }
        return page + "</html>\n"
    }

    private func row(_ result: CheckResult) -> String {
        let status = result.status.map(String.init) ?? ""
        let time = result.milliseconds.map { "\($0) ms" } ?? ""
        let sentence = result.sentence.map { "<br>" + HTML.escaped($0) } ?? ""
        return """
            <tr class="\(result.word)"><td>\(result.word)</td>\
            <td>\(HTML.escaped(result.name))\(sentence)</td><td>\(status)</td><td>\(time)</td></tr>

            """
    }
}
