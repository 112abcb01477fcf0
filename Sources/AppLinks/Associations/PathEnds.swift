// The texts with which the paths of an entry's rules begin and end, in one array. They rule out
// most rules of a long list without reading the rules themselves.
//
// Invariant: a rule that isn't a candidate doesn't match. Left out: all other conditions.

/// The beginnings and the ends of the rules' paths.
struct PathEnds: Sendable {
    private struct Ends {
        let start: Int
        let beginning: Int
        let end: Int
        /// The byte pairs of the literal texts between beginning and end.
        let pairs: BytePairs
        let form: LinkTexts.Form
    }

    private var bytes: [UInt8] = []
    private var rules: [Ends] = []

    /// O(rules, and the lengths of their beginnings and ends).
    init(of rules: [AssociationRule]) {
        self.rules.reserveCapacity(rules.count)
        for rule in rules {
            let elements = rule.path?.elements ?? []
            let start = bytes.count
            if case .literal(let text)? = elements.first { bytes += text }
            let middle = bytes.count
            if elements.count > 1, case .literal(let text)? = elements.last { bytes += text }
            var pairs = BytePairs()
            for case .literal(let text) in elements.dropFirst().dropLast() {
                pairs.insert(text.span)
            }
            self.rules.append(
                Ends(
                    start: start, beginning: middle - start, end: bytes.count - middle,
                    pairs: pairs, form: rule.form))
        }
    }

    /// The first rule from `index` on that a URL's path may match; nil if absent.
    func candidate(from index: Int, _ texts: inout LinkTexts) -> Int? {
        var index = index
        while index < rules.count {
            let form = rules[index].form
            let path = texts.path(form)
            var pairs: BytePairs?
            while index < rules.count, rules[index].form == form {
                if fits(rules[index], path.span, &pairs) { return index }
                index += 1
            }
        }
        return nil
    }

    /// - Parameter pairs: the path's byte pairs, once they have been needed.
    private func fits(_ ends: Ends, _ path: Span<UInt8>, _ pairs: inout BytePairs?) -> Bool {
        let bytes = bytes.span
        if path.count < ends.beginning + ends.end { return false }
        // Backwards, because the rules of one file often begin alike.
        var index = ends.beginning
        while index > 0 {
            index -= 1
            if path[index] != bytes[ends.start + index] { return false }
        }
        let ending = ends.start + ends.beginning
        let place = path.count - ends.end
        for index in 0..<ends.end where path[place + index] != bytes[ending + index] {
            return false
        }
        if ends.pairs.isEmpty { return true }
        let found = pairs ?? BytePairs(of: path)
        pairs = found
        return ends.pairs.mayBeSubset(of: found)
    }
}
