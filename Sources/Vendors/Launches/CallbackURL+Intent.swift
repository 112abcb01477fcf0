// The intent with which Welltory's Android app returns to a partner's activity (vendor document
// 2.1), in Android's text form: `adb shell am start`, `Intent.parseUri`.
//
// Invariant: numbers are floats and flags booleans, as the vendor's demo reads them; everything
// else is text.

extension CallbackURL {
    /// The intent that starts an Android activity with the items of `query` as extras; nil for
    /// other callbacks.
    ///
    /// - Parameter query: escaped, without `?`.
    public func intent(with query: [UInt8]) -> [UInt8]? {
        guard kind == .component else { return nil }
        var text = Array("intent:#Intent;component=\(description);".utf8)
        for item in query.split(separator: UInt8(ascii: "&")) {
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let value = item.dropFirst(name.count + 1)
            text += Array("\(Self.type(of: name)).".utf8) + name
            text += [UInt8(ascii: "=")] + value + [UInt8(ascii: ";")]
        }
        return text + Array("end".utf8)
    }

    /// Android's letter for the type of an extra.
    private static func type(of name: some Sequence<UInt8>) -> String {
        switch WelltoryKey(rawValue: String(decoding: Array(name), as: UTF8.self))?.form {
        case .fraction, .number: "f"
        case .flag: "B"
        case .colour, .text, nil: "S"
        }
    }
}
