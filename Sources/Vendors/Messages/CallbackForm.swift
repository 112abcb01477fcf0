// Converts a finished callback to JSON that a person can edit, and back.
//
// Invariant: `query(of:)` of the result of `value(in:)` is the same message. Left out: validation;
// an invalid value is worth sending too.

import JSON
import LinkPatterns
import Text

/// The two forms of a finished callback: parameters, and the JSON that they carry.
public enum CallbackForm {
    /// The JSON that a finished callback carries; nil if it carries none.
    ///
    /// Plain parameters become an object of strings.
    ///
    /// - Parameter query: escaped, without `?`.
    public static func value(in query: [UInt8], of contract: Contract) -> [UInt8]? {
        guard let items = Link(path: [], query: query[...])?.query else { return nil }
        let text = { (name: String) in items.first { $0.name == name }?.value }
        guard contract.isOnPartnersLink else { return nil }
        switch contract.declaration.shape.carrier {
        case .base64(let name, _, _):
            guard let text = text(name),
                case .octets(let octets, _) = Base64Text.decode(Array(text.utf8)[...])
            else { return nil }
            return octets
        case .json(let names): return names.first.flatMap(text).map { Array($0.utf8) }
        case .parameters:
            var json = JSONWriter()
            json.object { json in for item in items { json.member(item.name, item.value ?? "") } }
            return json.bytes
        case .body: return nil
        }
    }

    /// The escaped parameters that carry a value to a callback.
    ///
    /// - Parameter value: any text; for plain parameters a JSON object of scalars, otherwise the result
    ///   is nil.
    public static func query(of value: [UInt8], in contract: Contract) -> [UInt8]? {
        guard contract.isOnPartnersLink else { return nil }
        return switch contract.declaration.shape.carrier {
        case .base64(let name, let urlSafe, let before):
            Array("\(before)\(name)=".utf8) + Base64Text.encode(value, urlSafe: urlSafe)
        case .json(let names):
            Array("\(names.first ?? "")=".utf8) + PercentEncoding.encode(value)
        case .parameters: parameters(value)
        case .body: nil
        }
    }

    /// The members of an object as parameters; nil for anything else.
    private static func parameters(_ value: [UInt8]) -> [UInt8]? {
        guard let root = try? JSONDocument(parsing: value).root, root.kind == .object else {
            return nil
        }
        var query: [UInt8] = []
        for member in root.members {
            guard let name = member.name.string else { return nil }
            let text = member.value.string.map { Array($0.utf8) } ?? Array(member.value.text)
            if !query.isEmpty { query.append(UInt8(ascii: "&")) }
            query += PercentEncoding.encode(Array(name.utf8)) + [UInt8(ascii: "=")]
            query += PercentEncoding.encode(text)
        }
        return query
    }
}
