// Whether all texts of one pattern match another: a walk through both at once, over every character
// that either tells apart from others.
//
// Invariant: "yes" is always true. A variable of the inner pattern counts as more than it stands
// for and one of the outer pattern as less, unless its values are written out.

/// Whether the texts of `inner` are among those of `outer`.
struct PatternInclusion {
    /// What one step of a pattern takes.
    private enum Symbol: Hashable {
        case character(Unicode.Scalar)
        case oneOf(CharacterClass)
        case any

        func takes(_ character: Unicode.Scalar?) -> Bool {
            switch self {
            case .any: return true
            case .character(let own): return own == character
            case .oneOf(let characters):
                guard let character, character.isASCII else { return false }
                return characters.contains(UInt8(truncatingIfNeeded: character.value))
            }
        }
    }

    /// A pattern as places with steps between them; the last place is the end.
    private struct Automaton {
        var steps: [[(symbol: Symbol, next: Int)]] = [[]]
        /// Places that are reached without taking anything.
        var jumps: [[Int]] = [[]]
        var end = 0

        mutating func addPlace() -> Int {
            steps.append([])
            jumps.append([])
            return steps.count - 1
        }

        /// These places and all that are reached from them without taking anything, sorted.
        func closure(_ places: some Sequence<Int>) -> [Int] {
            var found = Set(places)
            var open = Array(found)
            while let place = open.popLast() {
                for next in jumps[place] where found.insert(next).inserted { open.append(next) }
            }
            return found.sorted()
        }

        func after(_ places: [Int], _ character: Unicode.Scalar?) -> [Int] {
            var next: Set<Int> = []
            for place in places {
                for step in steps[place] where step.symbol.takes(character) { next.insert(step.next) }
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
    private let isPath: Bool
    /// The characters that are told apart; nil stands for all others.
    private let alphabet: [Unicode.Scalar?]
    private let isSimple: Bool?

    init(
        _ outer: WildcardPattern, _ inner: WildcardPattern, foldsInner: Bool, isPath: Bool
    ) {
        self.isPath = isPath
        isSimple = foldsInner ? nil : Self.simple(outer, inner)
        guard isSimple == nil else {
            (self.outer, self.inner, alphabet) = (Automaton(), Automaton(), [])
            return
        }
        self.outer = Self.automaton(outer.elements, isOuter: true, folds: false)
        self.inner = Self.automaton(inner.elements, isOuter: false, folds: foldsInner)
        var characters: Set<Unicode.Scalar> = []
        for step in (self.outer.steps + self.inner.steps).joined() {
            switch step.symbol {
            case .character(let character): characters.insert(character)
            case .oneOf: characters.formUnion((UInt8(0x21)...0x7E).map { Unicode.Scalar($0) })
            case .any: break
            }
        }
        alphabet = characters.map { $0 } + [nil]
    }

    /// The answer for the outer patterns that most rules have: literal text, perhaps with a `*`
    /// behind it; nil for others.
    private static func simple(_ outer: WildcardPattern, _ inner: WildcardPattern) -> Bool? {
        guard case .literal(let text)? = outer.elements.first else { return nil }
        guard case .literal(let other)? = inner.elements.first else { return nil }
        if outer.elements.count == 1 {
            if inner.elements.count == 1 { return text == other }
            // Only what stands for one text could still be equal.
            if case .anyText? = inner.elements.last { return false }
            return nil
        }
        guard outer.elements.count == 2, case .anyText? = outer.elements.last else { return nil }
        if other.starts(with: text) { return true }
        return inner.elements.count == 1 ? false : nil
    }

    /// Whether it holds; false as well when `steps` don't suffice.
    mutating func holds(_ steps: inout Int) -> Bool {
        if let isSimple { return isSimple }
        var innerStart = inner.closure([0])
        var outerStart = outer.closure([0])
        if isPath {
            // Every path begins with a slash.
            innerStart = inner.after(innerStart, "/")
            outerStart = outer.after(outerStart, "/")
        }
        var open = innerStart.map { Pair(inner: $0, outer: outerStart) }
        var seen = Set(open)
        while let pair = open.popLast() {
            if pair.inner == inner.end, !pair.outer.contains(outer.end) { return false }
            for character in alphabet {
                steps -= 1
                if steps <= 0 { return false }
                let next = inner.after([pair.inner], character)
                if next.isEmpty { continue }
                let outerNext = outer.after(pair.outer, character)
                for place in next {
                    let pair = Pair(inner: place, outer: outerNext)
                    if seen.insert(pair).inserted { open.append(pair) }
                }
            }
        }
        return true
    }

    private static func automaton(
        _ elements: [WildcardPattern.Element], isOuter: Bool, folds: Bool
    ) -> Automaton {
        var automaton = Automaton()
        automaton.end = append(elements, to: &automaton, from: 0, isOuter: isOuter, folds: folds)
        return automaton
    }

    /// Appends elements behind a place; returns the place behind them.
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
                for value in values {
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

    /// A place at which any text is taken.
    private static func addText(to automaton: inout Automaton, from place: Int) -> Int {
        let next = automaton.addPlace()
        automaton.jumps[place].append(next)
        automaton.steps[next].append((.any, next))
        return next
    }
}
