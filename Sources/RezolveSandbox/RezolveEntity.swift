// The ids of entities: made for a person of a partner, and recognised again.
//
// Invariant: the same person of the same partner has the same id, also after a restart, although
// nothing is stored: the first half is an HMAC of the name, the second half one of the first, both
// with the partner's auth key. So only this sandbox can make valid ids.

import Crypto
import Settings
import Text

/// Makes and recognises the ids of entities.
package enum RezolveEntity {
    /// The id of a person; the letter case of the name doesn't matter.
    ///
    /// Nil for a partner without auth key.
    package static func id(of name: String, at partner: Configuration.Rezolve.Partner) -> String? {
        guard let key = partner.authKey else { return nil }
        var half = digest("name\n\(partner.id)\n\(name.lowercased())", key)
        // Version 8 (RFC 9562 §5.8).
        half[6] = half[6] & 0x0F | 0x80
        let first = Hexadecimal.text(half)
        return text(first + second(first, partner, key))
    }

    /// Whether the sandbox made an id for the partner; in another letter case it is another id.
    package static func isIssued(_ id: String, by partner: Configuration.Rezolve.Partner) -> Bool {
        guard let key = partner.authKey else { return false }
        let first = String(id.filter { $0 != "-" }.prefix(16))
        return text(first + second(first, partner, key)) == id
    }

    private static func second(
        _ first: String, _ partner: Configuration.Rezolve.Partner, _ key: String
    ) -> String {
        var half = digest("entity\n\(partner.id)\n\(first)", key)
        half[0] = half[0] & 0x3F | 0x80
        return Hexadecimal.text(half)
    }

    /// The first eight bytes of the HMAC.
    private static func digest(_ text: String, _ key: String) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(text.utf8), using: SymmetricKey(data: Array(key.utf8)))
        return Array(code.prefix(8))
    }

    /// Hexadecimal digits with the dashes of a UUID.
    private static func text(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }
}
