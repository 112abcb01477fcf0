// Rezolve's links: triggers, the instant form and engagements (vendor document 4.4).
// Left out: what hides behind the ids.

extension LaunchReader {
    private struct Segment {
        let text: String
        let offset: Int
    }

    /// Reads a trigger, an instant link or an engagement.
    mutating func readRezolve() -> Reaction {
        takeParameters()
        let host = url.host?.lowercased()
        let isTarget = url.scheme == nil
        let isEngagement = host != "rzlv.co" || ["/resolve", "/instant"].contains(url.path)
        if isEngagement, let engagement = entry("engagementid") {
            return readEngagement(engagement, host)
        }
        if let region = host.flatMap({ RezolveHost($0).region }) {
            pathParameters = [Launch.Parameter("region", region)]
            _ = require("engagementid")
            return errorPage("an engagement has an id")
        }
        guard isTarget || (url.isWebLink && host == "rzlv.co") else { return addCustomURL(host) }
        let segments = segments(isTarget: isTarget)
        if segments.count == 1, segments[0].text == "instant" { return readInstant() }
        readTrigger(segments)
        noteUnknown(known: ["ad", "placement"], required: [])
        makeLaunch(pathParameters + ["ad", "placement"].compactMap(parameter))
        return hasError
            ? errorPage("the SDK calls it a bad trigger") : .starts("vendor document 4.4")
    }

    private func errorPage(_ rule: String) -> Reaction {
        Reaction(kind: .errorPage, query: nil, rule: rule, isInferred: false)
    }

    private mutating func readTrigger(_ segments: [Segment]) {
        let names = ["partner", "merchant", "category", "product"]
        guard (3...4).contains(segments.count) else {
            findings.add(
                .error, .url, "bad_trigger", at: url.pathRange.lowerBound,
                expected: "/{partner}/{merchant}/{category} or …/{product}",
                found: "\(segments.count) components")
            return
        }
        for (name, segment) in zip(names, segments) {
            pathParameters.append(Launch.Parameter(name, segment.text))
            if RezolveForm.isNumber(segment.text) { continue }
            findings.add(
                .error, .url, "bad_trigger", at: segment.offset, expected: "\(name): digits",
                found: Excerpt.quoted(Array(segment.text.utf8)[...]))
        }
    }

    private mutating func readInstant() -> Reaction {
        if let path = require("path", hint: "the ids between slashes, as in 2/252/2"),
            path.isClean, !RezolveForm.isPath(path.value)
        {
            message.findings.add(
                .error, .model, "bad_trigger", at: path.text.range.lowerBound,
                expected: "path: three or four numbers between slashes",
                found: Excerpt.quoted(Array(path.value.utf8)[...]))
        }
        noteUnknown(known: ["path"], required: ["path"])
        makeLaunch(["path"].compactMap(parameter))
        return hasError
            ? errorPage("the SDK calls it a bad trigger")
            : .starts("vendor document 4.4, the instant form")
    }

    private mutating func readEngagement(_ entry: Entry, _ host: String?) -> Reaction {
        let region = host.flatMap { RezolveHost($0).region }
        if region == nil, let host {
            findings.add(
                .warning, .url, "unusual_host", at: 0,
                expected: "instant.{region}.rezolve.com",
                found: Excerpt.quoted(Array(host.utf8)[...]),
                hint: "only the vendor's iOS sample takes an engagement from any host")
        }
        noteUnknown(known: ["engagementid"], required: ["engagementid"])
        if let region { pathParameters = [Launch.Parameter("region", region)] }
        makeLaunch(pathParameters + [Launch.Parameter("engagementid", entry.value)])
        return hasError
            ? errorPage("the engagement's id can't be read") : .starts("vendor document 4.4")
    }

    private mutating func addCustomURL(_ host: String?) -> Reaction {
        findings.add(
            .error, .url, "custom_url", at: 0, expected: "http://rzlv.co or https://rzlv.co",
            found: Excerpt.quoted(Array((host ?? url.scheme ?? "").utf8)[...]),
            hint: host.map { $0.contains("rzlv.co") } ?? false
                ? "hosts are compared whole" : "any other URL is opened in the browser")
        return Reaction(
            kind: .browser, query: nil, rule: "a custom URL is opened in the browser",
            isInferred: false)
    }

    /// The components of the path, unescaped; of a request target those behind the last `rezolve`.
    private func segments(isTarget: Bool) -> [Segment] {
        var segments: [Segment] = []
        for part in link[url.pathRange].split(separator: UInt8(ascii: "/")) {
            let text = EscapedText(
                part: .target, bytes: link, range: part.indices, escaping: .query)
            segments.append(
                Segment(
                    text: String(decoding: text.unescaped().bytes, as: UTF8.self),
                    offset: part.startIndex))
        }
        guard isTarget, let last = segments.lastIndex(where: { $0.text == "rezolve" }) else {
            return segments
        }
        return Array(segments[(last + 1)...])
    }
}
