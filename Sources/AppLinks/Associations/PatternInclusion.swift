// Whether all texts that match one pattern match another. It walks through both at once: the inner
// pattern leads, and the outer one must be able to follow.
//
// Invariant: "yes" is always correct. A variable of the inner pattern counts as more than its
// values, one of the outer pattern as less, unless its values are listed. The cost is limited: that
// of the walk, of the states of both patterns, and of comparing one with a text of the other.

/// Whether the texts of `inner` are a subset of those of `outer`.
struct PatternInclusion {
    /// What one step of a pattern accepts.
    private enum Symbol {
        case character(Unicode.Scalar)
        case oneOf(CharacterClass)
        case any

        /// Whether it accepts a character; nil stands for all that the outer pattern doesn't name.
        func accepts(_ character: Unicode.Scalar?) -> Bool {
            switch self {
            case .any: return true
            case .character(let own): return own == character
            case .oneOf(let characters):
                guard let character, character.isASCII else { return false }
                return characters.contains(UInt8(truncatingIfNeeded: character.value))
            }
        }
    }

    /// A pattern as states with steps between them; the last state is the end.
    private struct Automaton {
        var steps: [[(symbol: Symbol, next: Int)]] = [[]]
        /// States that are reached without a character.
        var jumps: [[Int]] = [[]]
        var end = 0

        mutating func addPlace() -> Int {
            steps.append([])
            jumps.append([])
            return steps.count - 1
        }

        /// These states and all that are reached from them without a character, sorted.
        func closure(_ places: [Int]) -> [Int] {
            if places.allSatisfy({ jumps[$0].isEmpty }) {
                return places.count < 2 ? places : Set(places).sorted()
            }
            var found = Set(places)
            var open = places
            while let place = open.popLast() {
                for next in jumps[place] where found.insert(next).inserted { open.append(next) }
            }
            return found.sorted()
        }

        func after(_ places: [Int], _ character: Unicode.Scalar?) -> [Int] {
            var next: [Int] = []
            for place in places {
                for step in steps[place] where step.symbol.accepts(character) {
                    next.append(step.next)
                }
            }
            return closure(next)
        }
    }

    private struct Pair: Hashable {
        let inner: Int
        let outer: [Int]
    }

    private let outer: Automaton
    private let inner: Automaton
    /// The characters that the outer pattern distinguishes; nil stands for all others.
    private let alphabet: [Unicode.Scalar?]

    /// Whether all texts of `inner` match `outer`.
    ///
    /// Also false if `steps` is too low; the cost is subtracted from it.
    ///
    /// - Parameters:
    ///   - foldsInner: whether the outer pattern is compared with folded text, and the inner one
    ///     isn't.
    ///   - isPath: whether only texts that begin with a slash count.
    static func holds(
        _ outer: WildcardPattern, _ inner: WildcardPattern, foldsInner: Bool, isPath: Bool,
        _ steps: inout Int
    ) -> Bool {
        // A pattern on which Apple's matcher gives up matches nothing.
        if outer.depth > Limits.appleMatchingDepth { return false }
        steps -= 1 + inner.text.utf8.count / comparisonsPerStep
        if !foldsInner, let answer = simple(outer, inner) { return answer }
        guard steps > 0 else { return false }
        let allowed = min(steps, Limits.inclusionStepsOfTwo)
        var left = allowed
        defer { steps -= allowed - max(left, 0) }
        // One text of the inner pattern that the outer one doesn't match decides.
        if let witness = inner.witness(isPath: isPath, folds: foldsInner) {
            // Every state may be tried at every position.
            let cost = outer.size * (witness.count + 1) / comparisonsPerStep
            guard take(cost, from: &left), outer.matches(witness[...]) else { return false }
        }
        guard take(outer.size + inner.size, from: &left) else { return false }
        let search = PatternInclusion(outer, inner, foldsInner: foldsInner)
        return search.holds(isPath: isPath, &left)
    }

    private init(_ outer: WildcardPattern, _ inner: WildcardPattern, foldsInner: Bool) {
        self.outer = Self.automaton(outer.elements, isOuter: true, folds: false)
        self.inner = Self.automaton(inner.elements, isOuter: false, folds: foldsInner)
        var characters: Set<Unicode.Scalar> = []
        for step in self.outer.steps.joined() {
            switch step.symbol {
            case .character(let character): characters.insert(character)
            case .oneOf: characters.formUnion(Self.visibleCharacters)
            case .any: break
            }
        }
        alphabet = characters.map { $0 } + [nil]
    }

    /// Number of states that are compared with one byte each in the time of one step.
    private static let comparisonsPerStep = 1024

    private static let visibleCharacters = (UInt8(0x21)...0x7E).map { Unicode.Scalar($0) }

    /// The result for the most common patterns: literal text, optionally followed by a `*`; nil for
    /// others.
    private static func simple(_ outer: WildcardPattern, _ inner: WildcardPattern) -> Bool? {
        guard case .literal(let text)? = outer.elements.first else { return nil }
        guard case .literal(let other)? = inner.elements.first else { return nil }
        let isBeginning = other.starts(with: text)
        // They differ within the literal text of both patterns.
        if !isBeginning, !text.starts(with: other) { return false }
        if outer.elements.count == 1 {
            if inner.elements.count == 1 { return text == other }
            // Only a pattern with a single text could still be equal.
            if case .anyText? = inner.elements.last { return false }
            return nil
        }
        guard outer.elements.count == 2, case .anyText? = outer.elements.last else { return nil }
        if isBeginning { return true }
        return inner.elements.count == 1 ? false : nil
    }

    /// Subtracts a cost if steps are left after it.
    private static func take(_ cost: Int, from steps: inout Int) -> Bool {
        guard cost < steps else { return false }
        steps -= cost
        return true
    }

    private func holds(isPath: Bool, _ steps: inout Int) -> Bool {
        var innerStart = inner.closure([0])
        var outerStart = outer.closure([0])
        if isPath {
            innerStart = inner.after(innerStart, "/")
            outerStart = outer.after(outerStart, "/")
        }
        var open = innerStart.map { Pair(inner: $0, outer: outerStart) }
        var seen = Set(open)
        while let pair = open.popLast() {
            if pair.inner == inner.end, !pair.outer.contains(outer.end) { return false }
            for step in inner.steps[pair.inner] {
                let places = inner.closure([step.next])
                for character in characters(of: step.symbol) {
                    steps -= 1 + pair.outer.count
                    if steps <= 0 { return false }
                    let next = outer.after(pair.outer, character)
                    // The inner pattern continues, and the outer one can't follow.
                    if next.isEmpty { return false }
                    for place in places {
                        let pair = Pair(inner: place, outer: next)
                        if seen.insert(pair).inserted { open.append(pair) }
                    }
                }
            }
        }
        return true
    }

    /// The characters with which a step of the inner pattern is tried.
    private func characters(of symbol: Symbol) -> [Unicode.Scalar?] {
        switch symbol {
        case .character(let character): [character]
        case .oneOf: Self.visibleCharacters.filter { symbol.accepts($0) }
        case .any: alphabet
        }
    }

    private static func automaton(
        _ elements: [WildcardPattern.Element], isOuter: Bool, folds: Bool
    ) -> Automaton {
        var automaton = Automaton()
        automaton.end = append(elements, to: &automaton, from: 0, isOuter: isOuter, folds: folds)
        return automaton
    }

    /// Appends elements after a state; returns the state after them.
    private static func append(
        _ elements: [WildcardPattern.Element], to automaton: inout Automaton, from start: Int,
        isOuter: Bool, folds: Bool
    ) -> Int {
        var place = start
        for element in elements {
            switch element {
            case .literal(let bytes):
                let text = folds ? CaseFolding.folded(bytes[...]) : bytes
                for character in String(decoding: text, as: UTF8.self).unicodeScalars {
                    place = step(.character(character), to: &automaton, from: place)
                }
            case .anyCharacter:
                place = step(.any, to: &automaton, from: place)
            case .oneOf(let characters):
                place = step(
                    .oneOf(folds ? characters.folded : characters), to: &automaton, from: place)
            case .anyText:
                place = addText(to: &automaton, from: place)
            case .code:
                place = isOuter ? automaton.addPlace() : addText(to: &automaton, from: place)
            case .value(let values):
                let end = automaton.addPlace()
                for value in values.elements {
                    let last = append(
                        value, to: &automaton, from: place, isOuter: isOuter, folds: folds)
                    automaton.jumps[last].append(end)
                }
                place = end
            }
        }
        return place
    }

    private static func step(
        _ symbol: Symbol, to automaton: inout Automaton, from place: Int
    ) -> Int {
        let next = automaton.addPlace()
        automaton.steps[place].append((symbol, next))
        return next
    }

    /// Adds a state that accepts any text.
    private static func addText(to automaton: inout Automaton, from place: Int) -> Int {
        let next = automaton.addPlace()
        automaton.jumps[place].append(next)
        automaton.steps[next].append((.any, next))
        return next
    }
}
