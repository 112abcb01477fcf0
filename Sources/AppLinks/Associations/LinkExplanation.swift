// Explains a decision: every rule that was evaluated, and for each that didn't match, the first
// condition that failed, with the two texts and where they differ.

import JSON
import LinkPatterns

/// A decision about a URL, and how it was made.
public struct LinkExplanation: Sendable {
    /// The parts of a URL that a rule can have conditions on.
    public enum Part: Sendable, Hashable {
        case path
        /// The whole query.
        case query
        /// One item of the query, by its name.
        case queryItem(String)
        case fragment

        /// The part's name for programs: `path`, `query`, `query.NAME`, `fragment`.
        public var name: String {
            switch self {
            case .path: "path"
            case .query: "query"
            case .queryItem(let name): "query.\(name)"
            case .fragment: "fragment"
            }
        }
    }

    /// The condition that a URL doesn't meet.
    public struct Mismatch: Sendable, Hashable {
        /// The part of the URL that was compared.
        public let part: Part

        /// The pattern as compared: a path's is normalised, and keeps the `NOT ` of `paths`.
        public let pattern: String

        /// The text as compared: normalised, decoded or folded as the rule requires.
        public let text: String

        /// The byte offset in `pattern` where they differ.
        public let patternOffset: Int

        /// The byte offset in `text` where they differ.
        public let textOffset: Int

        /// A further explanation; nil if the texts are enough.
        public let note: String?
    }

    /// One rule that was evaluated.
    public struct Step: Sendable {
        /// The entry.
        public let detail: AssociationDetail

        /// The rule.
        public let rule: AssociationRule

        /// The condition that failed; nil if the rule decides for its entry.
        public let mismatch: Mismatch?

        /// The JSON pointer (RFC 6901) to the rule.
        public let pointer: String

        /// Where the rule begins in the file.
        public let position: JSONPosition
    }

    /// The decision.
    public let verdict: AssociationVerdict

    /// The rules that were evaluated, in order.
    ///
    /// With an app, those of its entry up to the one that decides; without, those of every entry up
    /// to the one that opens an app.
    public let steps: [Step]

    /// All apps that the URL would open, in the order of the file.
    ///
    /// The first one that is installed opens.
    public let opening: [String]
}

extension AppSiteAssociation {
    /// Decides as `decide` does, and explains the decision.
    ///
    /// - Complexity: as `decide` for all entries, and O(file) for every entry.
    public func explain(
        _ url: LinkURL, on domain: String? = nil, for app: String? = nil
    ) -> LinkExplanation {
        let verdict = decide(url, on: domain, for: app)
        if obstacle(to: url, on: domain, for: app) != nil {
            return LinkExplanation(verdict: verdict, steps: [], opening: [])
        }
        let lines = JSONLines(of: document.bytes)
        var texts = LinkTexts(url)
        var steps: [LinkExplanation.Step] = []
        for (detail, first) in askedDetails(for: app) {
            let fit = detail.firstFit(&texts)
            let list = "\(detail.node.pointer)/\(detail.ruleList.rawValue)/"
            for rule in detail.rules.prefix(fit.map { $0 + 1 } ?? detail.rules.count) {
                steps.append(
                    LinkExplanation.Step(
                        detail: detail, rule: rule,
                        mismatch: rule.index == fit ? nil : rule.mismatch(&texts),
                        pointer: list + String(rule.index),
                        position: lines.position(of: rule.node.byteRange.lowerBound)))
            }
            if Self.verdict(of: detail, for: first, fit).opensApp { break }
        }
        return LinkExplanation(
            verdict: verdict, steps: steps, opening: appsOpening(&texts))
    }

    /// All apps that a URL opens, in the order of the file, as `explain` lists them.
    ///
    /// The first one that is installed opens.
    /// - Complexity: as `decide` for all entries.
    public func appsOpening(_ url: LinkURL, on domain: String? = nil) -> [String] {
        if obstacle(to: url, on: domain, for: nil) != nil { return [] }
        var texts = LinkTexts(url)
        return appsOpening(&texts)
    }

    /// The apps whose entry a URL matches, in the order of the file.
    private func appsOpening(_ texts: inout LinkTexts) -> [String] {
        var seen: Set<String> = []
        var apps: [String] = []
        for detail in details {
            let new = detail.apps.filter { seen.insert($0).inserted }
            guard let first = new.first else { continue }
            if Self.verdict(of: detail, for: first, detail.firstFit(&texts)).opensApp {
                apps += new
            }
        }
        return apps
    }
}

extension AssociationRule {
    /// The first condition that a URL doesn't meet, in words; nil if it matches.
    func mismatch(_ texts: inout LinkTexts) -> LinkExplanation.Mismatch? {
        switch failure(&texts) {
        case nil:
            return nil
        case .path(let outcome):
            let mismatch = path.map { Self.mismatch(.path, $0, texts.path(form), outcome) }
            return node.string.flatMap(Self.afterNot) == nil ? mismatch : mismatch?.afterNot
        case .query(let outcome):
            guard case .whole(let pattern) = query else { return nil }
            let note =
                texts.query(form).isEmpty ? "the URL has no query, which counts as empty" : nil
            return Self.mismatch(.query, pattern, texts.query(form), outcome, note)
        case .fragment(let outcome):
            let text = texts.fragment(form)
            let note = text.isEmpty ? "the URL has no fragment, which counts as empty" : nil
            return fragment.map { Self.mismatch(.fragment, $0, text, outcome, note) }
        case .item(let index, let occurrence, let outcome):
            guard case .items(let conditions) = query else { return nil }
            let items = texts.items(form)
            let condition = conditions[index]
            let part = LinkExplanation.Part.queryItem(condition.name)
            guard let occurrence else {
                return Self.mismatch(
                    part, condition.pattern, [], outcome,
                    "the URL has no such item, which counts as empty")
            }
            let count = items.count { $0.name.elementsEqual(condition.name.utf8) }
            return Self.mismatch(
                part, condition.pattern, items[occurrence].value, outcome,
                count > 1 ? "the item is there \(count) times, and every one must match" : nil)
        }
    }

    private static func mismatch(
        _ part: LinkExplanation.Part, _ pattern: WildcardPattern, _ text: [UInt8],
        _ outcome: WildcardPattern.Outcome, _ note: String? = nil
    ) -> LinkExplanation.Mismatch {
        let parting = pattern.parting(in: text.span)
        return LinkExplanation.Mismatch(
            part: part, pattern: pattern.text, text: String(decoding: text, as: UTF8.self),
            patternOffset: parting.pattern, textOffset: parting.text,
            note: pattern.fault?.description ?? (outcome == .givesUp ? givesUp : note))
    }

    private static let givesUp =
        "Apple's matcher gives up on more than \(Limits.appleMatchingDepth) wildcards and variables"
}

extension LinkExplanation.Mismatch {
    /// The same mismatch for a pattern that follows `NOT ` in the file.
    fileprivate var afterNot: Self {
        let not = "NOT "
        return Self(
            part: part, pattern: not + pattern, text: text,
            patternOffset: not.utf8.count + patternOffset, textOffset: textOffset, note: note)
    }
}

extension WildcardPattern.Fault: CustomStringConvertible {
    /// Why the pattern matches nothing, in words.
    var description: String {
        switch self {
        case .unknownVariable(let name): "no variable is called \(name), so nothing matches"
        case .unterminatedVariable: "a variable has no closing bracket, so nothing matches"
        }
    }
}
