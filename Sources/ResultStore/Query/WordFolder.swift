// Writes one word for `Words`, scalar by scalar.
// Invariant: a scalar that SQLite's tokenizer would drop or change is never written unchanged. The
// two differ where SQLite's tables are older than Swift's, and where SQLite uses Unicode's case
// folding instead of lowercase.

/// Writes one word at a time.
struct WordFolder {
    /// Bytes of the current word; 0 between words.
    private var size = 0
    /// Whether the word was truncated.
    private var isFull = false

    /// Ends the word.
    mutating func end() {
        size = 0
        isFull = false
    }

    /// Appends an ASCII digit or lowercase letter.
    mutating func append(_ octet: UInt8, to words: inout [UInt8]) {
        guard reserveRoom(for: 1, in: &words) else { return }
        words.append(octet)
    }

    /// Appends a non-ASCII scalar in lowercase, or ends the word.
    mutating func append(_ scalar: Unicode.Scalar, to words: inout [UInt8]) {
        if let lower = Self.lowerCase(ofFrequent: scalar.value) {
            guard reserveRoom(for: 2, in: &words) else { return }
            words.append(UInt8(truncatingIfNeeded: 0xC0 | lower >> 6))
            words.append(UInt8(truncatingIfNeeded: 0x80 | lower & 0x3F))
        } else if Self.isLetterOrDigit(scalar) {
            let lower = Self.exception(scalar) ?? scalar.properties.lowercaseMapping
            guard reserveRoom(for: lower.utf8.count, in: &words) else { return }
            words.append(contentsOf: lower.utf8)
        } else if size > 0, Self.combines(scalar) {
            guard reserveRoom(for: UTF8.width(scalar), in: &words) else { return }
            words.append(contentsOf: String(scalar).utf8)
        } else {
            end()
        }
    }

    /// Counts bytes of the word; false if it has no room for them.
    private mutating func reserveRoom(for bytes: Int, in words: inout [UInt8]) -> Bool {
        isFull = isFull || size + bytes > Limits.wordBytes
        if isFull { return false }
        if size == 0, !words.isEmpty { words.append(Words.space) }
        size += bytes
        return true
    }
}

extension WordFolder {
    /// The lowercase of Latin-1 and Russian letters, without Unicode's tables; nil for anything
    /// else.
    private static func lowerCase(ofFrequent value: UInt32) -> UInt32? {
        switch value {
        case 0xDF...0xF6, 0xF8...0xFF, 0x430...0x45F: value
        case 0xC0...0xD6, 0xD8...0xDE, 0x410...0x42F: value + 0x20
        case 0x400...0x40F: value + 0x50
        default: nil
        }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            !isMarkInSQLite(scalar)
        default: false
        }
    }

    /// Whether the scalar became a letter in a later version of Unicode, and still ends a word in
    /// SQLite: vowels and tones of New Tai Lue, two Vedic signs.
    private static func isMarkInSQLite(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x19B0...0x19C0, 0x19C8...0x19C9, 0x1CF2...0x1CF3: true
        default: false
        }
    }

    /// Whether SQLite keeps a combining mark in its word.
    private static func combines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x304, 0x306...0x30C, 0x30F, 0x311, 0x31B, 0x323...0x328, 0x32D...0x32E,
            0x330...0x331:
            true
        default: false
        }
    }

    /// What SQLite folds some lowercase letters to; nil for all others.
    private static func exception(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0xB5: "\u{3BC}"
        case 0x17F: "s"
        case 0x3C2: "\u{3C3}"
        case 0x3D0: "\u{3B2}"
        case 0x3D1: "\u{3B8}"
        case 0x3D5: "\u{3C6}"
        case 0x3D6: "\u{3C0}"
        case 0x3F0: "\u{3BA}"
        case 0x3F1: "\u{3C1}"
        case 0x3F5: "\u{3B5}"
        case 0x1E9B: "\u{1E61}"
        case 0x1FBE: "\u{3B9}"
        default: nil
        }
    }
}
