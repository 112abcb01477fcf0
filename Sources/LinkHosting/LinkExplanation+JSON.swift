// A decision about a URL as JSON: the same for the command, its batches and the API.

import AppLinks
import JSON

extension LinkExplanation {
    /// Writes the members of one object: decision, deciding rule, all apps, every step.
    package func writeMembers(to json: inout JSONWriter) {
        verdict.writeMembers(to: &json)
        json.member("apps", opening)
        json.array("trace") { json in
            for step in steps { step.write(to: &json) }
        }
    }
}

extension AssociationVerdict {
    /// Writes `decision`, `opens_app`, `app`, `detail`, `rule`, `pointer`, `line` and `reason`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("decision", decision.rawValue)
        json.member("opens_app", opensApp)
        json.member("app", app)
        json.member("detail", detail?.index)
        json.member("rule", rule?.index)
        json.member("pointer", pointer)
        json.member("line", line)
        json.member("reason", reason?.sentence)
    }
}

extension AssociationVerdict.Reason {
    /// Why no rule decided, and what to do about it.
    package var sentence: String {
        switch self {
        case .noWebLink:
            "The URL is not a web link: universal links begin with https:// and a host."
        case .otherHost(let host, let domain):
            "The file is of \(domain), and the URL's host is \(host): each host has a file of its own."
                + [host, domain].compactMap(HostSpelling.hint).map { " \($0)" }.joined()
        case .contestedHost(let host, let domain):
            "Whether \(domain) covers \(host) itself is contested, so no rule is applied: list "
                + "applinks:\(host) in the app as well."
        case .tooLarge(let size, let limit):
            "The file has \(size) bytes, and Apple's systems read at most \(limit)."
        case .noEntries:
            "The file has no entry in applinks.details that names an app."
        case .unknownApp(let app):
            "No entry in applinks.details names \(app)."
        case .noRule:
            "The URL matches no rule."
        case .everything:
            "The entry has neither components nor paths, so every URL opens the app."
        }
    }
}

extension LinkExplanation.Step {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("detail", detail.index)
            json.member("rule", rule.index)
            json.member("pointer", pointer)
            json.member("line", position.line)
            json.member("fits", mismatch == nil)
            json.member("exclude", rule.excludes)
            json.member("part", mismatch?.part.name)
            json.member("pattern", mismatch?.pattern)
            json.member("text", mismatch?.text)
            json.member("pattern_offset", mismatch?.patternOffset)
            json.member("text_offset", mismatch?.textOffset)
            json.member("note", mismatch?.note)
        }
    }
}
