// Finds, in one pass, the places in a text where something to hide may begin.
//
// Invariant: a place that is not reported matches no needle. A needle is three sets of bytes; the
// caller checks the rest.

/// The beginning of a credential's name, of a value that looks like one, or of an escape that may
/// hide it.
enum Needle: Int, CaseIterable {
    // Stems of names.
    case pass, pwd, secret, token, key, login, credential, auth, web, cookie, forgery, code
    case session, scheme
    // Prefixes of values.
    case base64, stripe, hook, git, github, chat, cloud, package, mail, fence
    // Escapes of letters, and userinfo.
    case letter, letterOrMark, digit, nested, unicode, at

    /// The bytes allowed first, second and third; empty allows any.
    fileprivate var bytes: (String, String, String) {
        switch self {
        case .pass: ("pP", "aA", "sS")
        case .pwd: ("pP", "wWsS", "dDwW")
        case .secret: ("sS", "eE", "cC")
        case .token: ("tT", "oO", "kK")
        case .key: ("kK", "eE", "yY")
        case .login: ("lL", "oO", "gG")
        case .credential: ("cC", "rR", "eE")
        case .auth: ("aA", "uU", "tT")
        case .web: ("jJ", "wW", "tT")
        case .cookie: ("cC", "oO", "oO")
        case .forgery: ("cCxX", "sS", "rR")
        case .code: ("oO", "tT", "pP")
        case .session: ("sSnN", "iI", "dD")
        case .scheme: ("bB", "eEaA", "aAsS")
        case .base64: ("eW", "y3w", "Jso")
        case .stripe: ("sr", "k", "_-")
        case .hook: ("ws", "h", "sp")
        case .git: ("g", "hl", "pousr")
        case .github: ("g", "i", "t")
        case .chat: ("x", "oa", "xp")
        case .cloud: ("A", "KSI", "Iz")
        case .package: ("np", "py", "mp")
        case .mail: ("Sy", "Ga", ".2")
        case .fence: ("-", "-", "-")
        case .letter: ("%", "46", "")
        case .letterOrMark: ("%", "57", "0123456789AaCcFf")
        case .digit: ("%", "3", "0123456789")
        case .nested: ("%", "2", "5DdEe")
        case .unicode: ("\\", "u", "0")
        case .at: ("@", "", "")
        }
    }
}

/// A set of needles, as tables of bytes.
struct Needles: Sendable {
    /// For each byte, the needles that may begin with it; in the upper bits, those with it as
    /// second byte.
    private let pairs: [UInt64]
    private let thirds: [UInt32]

    /// The needles for credentials.
    static let credentials = Needles(Needle.allCases)

    /// The needles for recognisable values.
    static let looks = Needles([
        .scheme, .base64, .stripe, .hook, .git, .github, .chat, .cloud, .package, .mail, .fence,
    ])

    /// The needles for values that lists hide.
    static let shared = Needles([.token, .letter, .letterOrMark, .digit, .nested, .unicode])

    private init(_ needles: [Needle]) {
        var pairs = [UInt64](repeating: 0, count: 256)
        var thirds = [UInt32](repeating: 0, count: 256)
        func add(_ set: String, _ add: (Int) -> Void) {
            for byte in set.isEmpty ? Array(0...255) : set.utf8.map({ Int($0) }) { add(byte) }
        }
        for needle in needles {
            let bit = UInt32(1) << UInt32(needle.rawValue)
            add(needle.bytes.0) { pairs[$0] |= UInt64(bit) }
            add(needle.bytes.1) { pairs[$0] |= UInt64(bit) << 32 }
            add(needle.bytes.2) { thirds[$0] |= bit }
        }
        self.pairs = pairs
        self.thirds = thirds
    }

    /// Whether `isFound` confirms a needle that may begin at a place in `range`; O(length).
    @inline(__always)
    func contains(
        in text: Span<UInt8>, _ range: Range<Int>, where isFound: (Needle, Int) -> Bool
    ) -> Bool {
        var start = range.lowerBound
        while true {
            var (place, found) = firstPlace(in: text, from: start, end: range.upperBound)
            if found == 0 { return false }
            while found != 0 {
                let needle = Needle(rawValue: found.trailingZeroBitCount)
                if let needle, isFound(needle, place) { return true }
                found &= found &- 1
            }
            start = place + 1
        }
    }

    /// The first place from `start` on where needles may begin, and their bits; 0 if there is none.
    ///
    /// Separate from the detailed checks, so that the loop over each byte keeps its values in
    /// registers.
    @inline(never)
    private func firstPlace(
        in text: Span<UInt8>, from start: Int, end: Int
    ) -> (place: Int, found: UInt32) {
        guard end - start >= 3 else { return (end, 0) }
        let (pairs, thirds) = (pairs.span, thirds.span)
        var index = start
        var first = pairs[Int(text[index])]
        while index &+ 2 < end {
            let second = pairs[Int(text[index &+ 1])]
            let both = UInt32(truncatingIfNeeded: first & second &>> 32)
            if both != 0 {
                let found = both & thirds[Int(text[index &+ 2])]
                if found != 0 { return (index, found) }
            }
            first = second
            index &+= 1
        }
        return (end, 0)
    }

    /// The needles that may begin at `index`; three bytes must be left before `end`.
    @inline(__always)
    func first(at index: Int, in text: Span<UInt8>, end: Int) -> Needle? {
        guard end - index >= 3 else { return nil }
        let both = pairs[Int(text[index])] & pairs[Int(text[index + 1])] &>> 32
        let found = UInt32(truncatingIfNeeded: both) & thirds[Int(text[index + 2])]
        return found == 0 ? nil : Needle(rawValue: found.trailingZeroBitCount)
    }
}
