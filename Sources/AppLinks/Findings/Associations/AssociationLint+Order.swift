// Finds rules that are never reached, or whose result is the same without them. It compares what
// rules match, not how they are written; where that would take too long, it reports nothing.

import Text

extension AssociationLint {
    /// Checks the rules of one entry together.
    mutating func checkOrder(_ list: FindingPlace, _ detail: AssociationDetail) {
        let rules = detail.rules
        guard let last = rules.last else { return }
        let places = list.elements
        var finder = RuleFinder()
        var isLastCovered = false
        for index in rules.indices {
            let earlier = finder.first(covering: rules[index], in: rules, &inclusionSteps)
            isLastCovered = earlier != nil
            if let earlier {
                report(places[index], rules[index], coveredBy: rules[earlier])
            } else {
                finder.add(index, rules[index])
                findRedundancy(at: index, rules, places)
            }
        }
        if !rules.contains(where: { !$0.excludes }) {
            findings.add(
                .onlyExcludes, .warning, list,
                "No rule opens the app: add one that matches the rest.")
        } else if last.excludes, !isLastCovered, let place = places.last {
            findings.add(
                .lastExclude, .info, place,
                "URLs that match no rule stay in the browser anyway. This is needed only for an "
                    + "app that also has applinks:*. and a parent domain, whose file decides "
                    + "about URLs that match no rule here.")
        }
        if let first = rules.first, first.isUnconditional || first.fitsEveryPath, !first.excludes,
            let place = places.first
        {
            findings.add(
                .onlyCatchAll, .info, place,
                "Every URL of the domain opens the app; to keep some in the browser, add an "
                    + "exclusion before this.")
        }
    }

    private mutating func report(
        _ place: FindingPlace, _ rule: AssociationRule, coveredBy earlier: AssociationRule
    ) {
        let name = "rule \(earlier.index)"
        if rule.hasConditions(of: earlier), rule.excludes == earlier.excludes {
            findings.add(
                .duplicateRule, .warning, place, "This is the same as \(name): remove one.")
        } else if rule.excludes, !earlier.excludes {
            findings.add(
                .deadExclude, .error, place,
                "This never excludes anything, as \(name) opens the app first: move it in "
                    + "front of that.")
        } else if earlier.isUnconditional || earlier.fitsEveryPath {
            findings.add(
                .deadRule, .warning, place,
                "This is never reached, as \(name) matches every URL: remove it or move it up.")
        } else {
            findings.add(
                .shadowedRule, .warning, place,
                "This is never reached, as \(name) matches everything that this matches: remove "
                    + "it or move it up.")
        }
    }

    /// Reports a rule whose URLs the next rule decides in the same way.
    private mutating func findRedundancy(
        at index: Int, _ rules: [AssociationRule], _ places: [FindingPlace]
    ) {
        guard index + 1 < rules.count else { return }
        let next = rules[index + 1]
        guard next.excludes == rules[index].excludes, next.covers(rules[index], &inclusionSteps),
            !rules[index].hasConditions(of: next)
        else { return }
        findings.add(
            .redundantRule, .info, places[index],
            "The next rule matches everything that this matches, and does the same: keep one.")
    }
}

/// Finds earlier rules that may match everything that a later one matches, by the text with which
/// their paths begin.
struct RuleFinder {
    private struct Candidate {
        let index: Int
        /// The byte pairs of all literal text in its path.
        let pairs: BytePairs
        let form: LinkTexts.Form
    }

    /// Rules by a hash of their path's literal beginning, folded; each list is ascending.
    private var candidates: [FNV1a: [Candidate]] = [:]

    /// Whether a beginning of this length exists.
    private var isLength: [Bool] = []

    mutating func add(_ index: Int, _ rule: AssociationRule) {
        let beginning = Self.beginning(of: rule)
        candidates[FNV1a(beginning), default: []].append(
            Candidate(index: index, pairs: rule.path?.literalPairs ?? BytePairs(), form: rule.form))
        while isLength.count <= beginning.count { isLength.append(false) }
        isLength[beginning.count] = true
    }

    /// The first rule that covers another one; nil if none was found within the steps.
    func first(
        covering rule: AssociationRule, in rules: [AssociationRule], _ steps: inout Int
    ) -> Int? {
        var first: Int?
        // The hash of a text passes the hashes of its prefixes.
        var hash = FNV1a()
        let pairs = { (folds: Bool) in
            (rule.path?.witness(isPath: true, folds: folds)).map { BytePairs(of: $0.span) }
        }
        let (written, folded) = (pairs(false), pairs(true))
        var skippedCount = 0
        let look = { (hash: FNV1a, steps: inout Int) in
            // Different beginnings with the same hash only cost a comparison.
            for candidate in candidates[hash] ?? [] {
                if candidate.index >= first ?? .max || steps <= 0 { break }
                if let witness = candidate.form.folds ? folded : written,
                    !candidate.pairs.mayBeSubset(of: witness)
                {
                    skippedCount += 1
                    if skippedCount.isMultiple(of: Self.skippedPerStep) { steps -= 1 }
                    continue
                }
                steps -= 1
                if rules[candidate.index].covers(rule, &steps) { first = candidate.index }
            }
        }
        look(hash, &steps)
        for (byte, isLength) in zip(Self.beginning(of: rule), isLength.dropFirst()) {
            hash.add(byte)
            if isLength { look(hash, &steps) }
        }
        return first
    }

    /// Number of rules that can be ruled out by their text in the time of one step.
    private static let skippedPerStep = 16

    /// The text with which every matching path begins.
    private static func beginning(of rule: AssociationRule) -> [UInt8] {
        guard let path = rule.path, case .literal(let bytes)? = path.elements.first else {
            return []
        }
        // All paths begin with a slash, so "/*" begins like "*".
        return bytes == [UInt8(ascii: "/")] ? [] : CaseFolding.folded(bytes[...])
    }
}
