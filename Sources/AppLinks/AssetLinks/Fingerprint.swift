// Recognises what people write as the SHA-256 fingerprint of a certificate, by its form.

import Text

/// The syntax of a certificate's fingerprint: 32 pairs of uppercase hexadecimal digits.
enum Fingerprint {
    /// What is wrong with a fingerprint.
    struct Fault {
        /// The kind of the fault.
        let code: FindingCode
        /// An error if the fingerprint is malformed, otherwise a warning.
        let severity: Finding.Severity
        /// What is wrong and what to write instead.
        let message: String
    }

    /// Number of pairs in a SHA-256 fingerprint.
    private static let pairCount = 32

    /// The fingerprint in Google's documentation.
    private static let documented =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"

    /// The fingerprint of the signing key in React Native's and Expo's templates.
    private static let reactNative =
        "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C"

    /// The hexadecimal digits in `text`, in uppercase, without separators.
    static func digits(of text: String) -> [UInt8] {
        text.uppercased().utf8.filter(\.isHexadecimal)
    }

    /// What is wrong with or surprising about a fingerprint; nil if nothing is.
    static func fault(of text: String) -> Fault? {
        let pieces = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        if pieces.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexadecimal) }) {
            return fault(ofPairs: pieces.count, text)
        }
        if text.isEmpty {
            return error(.fingerprintInvalid, "This fingerprint is empty; \(whereToFind)")
        }
        return fault(ofOther: text)
    }

    private static let whereToFind =
        "write the SHA-256 fingerprint from Play Console, Setup, App signing, or from keytool -list -v."

    private static func fault(ofPairs count: Int, _ text: String) -> Fault? {
        switch count {
        case pairCount: break
        case 20:
            return error(
                .fingerprintSHA1,
                "20 pairs are a SHA-1 fingerprint, and this list takes SHA-256, which has 32; "
                    + whereToFind)
        case 16:
            return error(
                .fingerprintMD5,
                "16 pairs are an MD5 fingerprint, and this list takes SHA-256, which has 32; "
                    + whereToFind)
        default:
            return error(
                .fingerprintInvalid,
                "A SHA-256 fingerprint has 32 pairs, and this one has \(count); " + whereToFind)
        }
        let upper = text.uppercased()
        if upper != text {
            return error(
                .fingerprintLowerCase,
                "Google accepts fingerprints in upper case only; write \(upper).")
        }
        if text.utf8.allSatisfy({ $0 == 0x30 || $0 == UInt8(ascii: ":") }) {
            return warning(
                .fingerprintAllZero,
                "No certificate has the fingerprint that is all zeros; " + whereToFind)
        }
        let digits = digits(of: text)
        let isRepeated = zip(digits, digits.dropFirst(2)).allSatisfy { $0 == $1 }
        if text == documented || isRepeated {
            return warning(
                .fingerprintPlaceholder,
                "This fingerprint is an example, and no app has it; " + whereToFind)
        }
        if text == reactNative {
            return warning(
                .fingerprintPublicKey,
                "This is the public debug key of React Native's and Expo's templates: any app of this "
                    + "name may open the links; remove it from a public site."
            )
        }
        return nil
    }

    /// The fault of a text that isn't pairs separated by colons.
    private static func fault(ofOther text: String) -> Fault {
        let digits = digits(of: text)
        let pairs = stride(from: 0, to: digits.count, by: 2).map {
            String(decoding: digits[$0..<min($0 + 2, digits.count)], as: UTF8.self)
        }
        let right = pairs.joined(separator: ":")
        if text.utf8.allSatisfy(\.isHexadecimal) {
            switch digits.count {
            case 2 * pairCount:
                return error(
                    .fingerprintWithoutColons,
                    "The pairs of a fingerprint have colons between them; write \(right).")
            case 40: return fault(ofPairs: 20, text) ?? malformed(text)
            case 32: return fault(ofPairs: 16, text) ?? malformed(text)
            default: return malformed(text)
            }
        }
        let isSeparated = text.utf8.allSatisfy { $0.isHexadecimal || isSeparator($0) }
        if isSeparated, digits.count == 2 * pairCount {
            return error(
                .fingerprintInvalid,
                "The pairs of a fingerprint have single colons between them and nothing else; write "
                    + "\(right).")
        }
        if text.lowercased().hasPrefix("sha") {
            return error(
                .fingerprintInvalid,
                "A fingerprint begins with its first pair; remove what precedes it, and "
                    + "write 32 pairs of hexadecimal digits with colons between them.")
        }
        if text.utf8.count == 44, text.hasSuffix("=") {
            return error(
                .fingerprintInvalid,
                "This is Base64; write the fingerprint as 32 pairs of hexadecimal digits with colons "
                    + "between them.")
        }
        if isPlaceholder(text) {
            return error(
                .fingerprintPlaceholder,
                "\(text.quoted) is a placeholder; " + whereToFind)
        }
        return malformed(text)
    }

    /// Whether a text is words or a mask rather than a damaged fingerprint.
    private static func isPlaceholder(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let isMasked = zip(bytes, bytes.dropFirst()).contains { left, right in
            left == right
                && [UInt8(ascii: "X"), UInt8(ascii: "x"), UInt8(ascii: ".")].contains(left)
        }
        let invalidCount = bytes.count { !$0.isHexadecimal && !isSeparator($0) }
        return isMasked || invalidCount * 4 >= bytes.count && bytes.count > 2
    }

    private static func malformed(_ text: String) -> Fault {
        error(
            .fingerprintInvalid,
            "\(text.quoted) is not 32 pairs of hexadecimal digits with colons between them; "
                + whereToFind)
    }

    private static func error(_ code: FindingCode, _ message: String) -> Fault {
        Fault(code: code, severity: .error, message: message)
    }

    private static func warning(_ code: FindingCode, _ message: String) -> Fault {
        Fault(code: code, severity: .warning, message: message)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
    }
}
