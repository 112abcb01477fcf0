// Writes the members of a `JSONModel` as a JSON object; absent ones are omitted. Invariant: whole
// numbers are written without a decimal point, as the vendors' apps write them.

import JSON

/// The writing side of `JSONModelMap`.
struct JSONModelWriter: JSONModelMap {
    private(set) var json = JSONWriter(reservingCapacity: 1024)
    private let spelling: NameSpelling

    init(_ spelling: NameSpelling) { self.spelling = spelling }

    /// Writes a whole object.
    mutating func write(_ model: inout some JSONModel) {
        json.beginObject()
        model.map(&self)
        json.endObject()
    }

    mutating func map(_ name: String, _ value: inout String?) {
        if let value { json.member(spelling.spelled(name), value) }
    }

    mutating func map(_ name: String, _ value: inout Int?) {
        if let value { json.member(spelling.spelled(name), value) }
    }

    mutating func map(_ name: String, _ value: inout Double?) {
        guard let value, value.isFinite else { return }
        json.member(spelling.spelled(name), raw: Self.text(of: value))
    }

    mutating func map(_ name: String, _ value: inout Bool?) {
        if let value { json.member(spelling.spelled(name), value) }
    }

    mutating func map(_ name: String, _ value: inout LooseScalar?) {
        guard let value else { return }
        json.key(spelling.spelled(name))
        value.write(to: &json)
    }

    mutating func map(_ name: String, _ value: inout OpenJSON?) {
        guard let value else { return }
        json.member(spelling.spelled(name), raw: value.text)
    }

    mutating func map(_ name: String, _ value: inout [String]?) {
        guard let value else { return }
        json.member(spelling.spelled(name), value)
    }

    mutating func map<Model: JSONModel>(_ name: String, _ value: inout Model?) {
        guard var model = value else { return }
        json.key(spelling.spelled(name))
        write(&model)
    }

    mutating func map<Model: JSONModel>(_ name: String, _ value: inout [Model]?) {
        guard let value else { return }
        json.key(spelling.spelled(name))
        json.beginArray()
        for var model in value { write(&model) }
        json.endArray()
    }

    mutating func map<Model: JSONModel>(
        _ name: String, _ value: inout [Model]?, id: WritableKeyPath<Model, String>
    ) {
        guard let value else { return }
        json.key(spelling.spelled(name))
        json.beginObject()
        for var model in value {
            json.key(model[keyPath: id])
            write(&model)
        }
        json.endObject()
    }

    /// The shortest text that reads back as `number`, without a decimal point if it is whole.
    static func text(of number: Double) -> [UInt8] {
        if let whole = Int(exactly: number), whole.magnitude < 1 << 53,
            !(number.sign == .minus && whole == 0)
        {
            return Array(String(whole).utf8)
        }
        return Array(number.description.utf8)
    }
}
