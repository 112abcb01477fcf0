// Which conditions are the same: texts count by their bytes, as they do in records.
//
// Invariant: equal conditions match the same records. Swift's own `==` also holds for canonically
// equivalent texts, such as a composed and a decomposed letter, of which a record has only one.

extension Condition: Equatable {
    /// Whether both are written the same, apart from the texts of equal numbers.
    package static func == (left: Condition, right: Condition) -> Bool {
        switch left {
        case .all(let parts):
            if case .all(let others) = right { parts == others } else { false }
        case .any(let parts):
            if case .any(let others) = right { parts == others } else { false }
        case .not(let inner):
            if case .not(let other) = right { inner == other } else { false }
        case .compare(let field, let relation, let value):
            if case .compare(let otherField, let otherRelation, let otherValue) = right {
                field == otherField && relation == otherRelation && value == otherValue
            } else {
                false
            }
        case .has(let field):
            if case .has(let other) = right { field == other } else { false }
        case .words(let words, let lastIsPrefix):
            if case .words(let others, let isPrefix) = right {
                lastIsPrefix == isPrefix && words.elementsEqual(others) { $0.isSame(as: $1) }
            } else {
                false
            }
        }
    }
}

extension QueryField: Equatable {
    /// Whether queries write both in the same way.
    package static func == (left: QueryField, right: QueryField) -> Bool {
        left.name.isSame(as: right.name)
    }
}

extension QueryValue: Equatable {
    /// Whether both are of one type and equal.
    package static func == (left: QueryValue, right: QueryValue) -> Bool {
        switch left {
        case .text(let text):
            if case .text(let other) = right { text.isSame(as: other) } else { false }
        case .number(let number):
            if case .number(let other) = right { number == other } else { false }
        case .integer(let integer):
            if case .integer(let other) = right { integer == other } else { false }
        case .time(let time):
            if case .time(let other) = right { time == other } else { false }
        case .flag(let flag):
            if case .flag(let other) = right { flag == other } else { false }
        }
    }
}
