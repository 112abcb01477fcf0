// Reads Rezolve's links: triggers, the instant form and engagements (vendor document 4.4). Left
// out: the objects that the ids refer to.

extension LaunchReader {
    /// Reads a trigger, an instant link or an engagement.
    mutating func readRezolve() -> Reaction {
        takeParameters()
        let path = RezolvePath(of: link[...])
        let classified = RezolveLink(path, of: message)
        classified.report(to: &findings, opensApp: true)
        switch classified.form {
        case .trigger:
            pathParameters = parameters(of: classified)
            noteUnknown(known: ["ad", "placement"], required: [])
            makeLaunch(pathParameters + ["ad", "placement"].compactMap(parameter))
            return reaction("the SDK calls it a bad trigger")
        case .instant:
            _ = require("path", hint: "the ids between slashes, as in 2/252/2")
            noteUnknown(known: ["path"], required: ["path"])
            let ids = parameters(of: classified).map(\.value).joined(separator: "/")
            makeLaunch([Launch.Parameter("path", ids)])
            return reaction("the SDK calls it a bad trigger")
        case .engagement:
            if case .engagements(let region) = path.site {
                pathParameters = [Launch.Parameter("region", region)]
            }
            _ = require("engagementid")
            noteUnknown(known: ["engagementid"], required: ["engagementid"])
            makeLaunch(pathParameters + ["engagementid"].compactMap(parameter))
            return reaction("an engagement has an id")
        case nil:
            return Reaction(
                kind: .browser, query: nil, rule: "a custom URL is opened in the browser",
                isInferred: false)
        }
    }

    private func parameters(of link: RezolveLink) -> [Launch.Parameter] {
        link.ids.map { Launch.Parameter($0.name, String(decoding: $0.text, as: UTF8.self)) }
    }

    /// The app starts, or the reason why the link has no page.
    private func reaction(_ rule: String) -> Reaction {
        hasError
            ? Reaction(kind: .errorPage, query: nil, rule: rule, isInferred: false)
            : .starts("vendor document 4.4")
    }
}
