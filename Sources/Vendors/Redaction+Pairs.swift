// Where credentials stand in `name=value` pairs.
//
// `;` starts a name too, since some servers split there; it doesn't end a credential, which may
// hold one. In a target `?` and `#` start names, so that an unescaped URL inside of it is covered.

import PositionedJSON

extension Redaction {
    /// The ranges of the credentials' values from `start` on, in order.
    static func pairs(in text: [UInt8], from start: Int, isForm: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = start
        while index < text.count {
            var name = CredentialName()
            while index < text.count, text[index] != UInt8(ascii: "="),
                !startsName(text[index], isForm)
            {
                let octet = PercentEncoding.octet(text, at: index, end: text.count)
                name.append(octet ?? text[index])
                index += octet == nil ? 1 : 3
            }
            if index < text.count, text[index] == UInt8(ascii: "="), name.isCredential {
                let value = index + 1
                index = value
                while index < text.count, !endsValue(text[index], isForm) { index += 1 }
                found.append(value..<index)
            }
            while index < text.count, !startsName(text[index], isForm) { index += 1 }
            index += 1
        }
        return found
    }

    private static func startsName(_ byte: UInt8, _ isForm: Bool) -> Bool {
        endsValue(byte, isForm) || byte == UInt8(ascii: ";")
            || (!isForm && byte == UInt8(ascii: "?"))
    }

    private static func endsValue(_ byte: UInt8, _ isForm: Bool) -> Bool {
        byte == UInt8(ascii: "&") || (!isForm && byte == UInt8(ascii: "#"))
    }
}
