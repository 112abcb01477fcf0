// What a catalog declares for one vendor, prepared for reading: every new record is read by it.
//
// Invariant: reads what the catalog's paths say. Left out: what is done with values and words.

import JSON

/// The fields and the searched text of one vendor's results.
struct FieldPlan: Sendable, Hashable {
    /// One name of a path.
    struct Step: Sendable, Hashable {
        let name: [UInt8]
        /// The name as the position of an array's element; nil for another name.
        let position: Int?
        /// Whether it matches every element and member, where a path may say so.
        let matchesAll: Bool

        init(_ name: String) {
            self.name = Array(name.utf8)
            position = Int(name)
            matchesAll = name == "*"
        }
    }

    /// A declared field.
    struct Field: Sendable, Hashable {
        /// The index in the catalog.
        let index: Int
        let kind: FieldCatalog.Kind
        let paths: [[Step]]
    }

    private(set) var fields: [Field] = []
    private(set) var words: [[Step]] = []

    mutating func add(_ field: FieldCatalog.Field, at index: Int) {
        fields.append(
            Field(
                index: index, kind: field.kind,
                paths: field.paths.map { path in path.map { Step($0) } }))
    }

    mutating func add(_ words: FieldCatalog.WordPath) {
        self.words.append(words.path.map { Step($0) })
    }

    /// Appends the folded words of the text at the paths, in a value that is an object.
    func collectWords(of document: JSONDocument, at root: Int, into words: inout [UInt8]) {
        for path in self.words { Self.collect(path[...], of: document, at: root, &words) }
    }

    /// Appends the words at the end of `path`, starting at `index` of the tape.
    private static func collect(
        _ path: ArraySlice<Step>, of document: JSONDocument, at index: Int, _ words: inout [UInt8]
    ) {
        guard words.count < Limits.recordWordBytes else { return }
        let entry = document.tape[index]
        guard let step = path.first else {
            switch entry.tag {
            case .string:
                let text = document.node(at: index).unescaped.prefix(Limits.recordWordBytes)
                Words.fold(text.span, into: &words)
            case .number:
                let text = document.bytes[entry.byteRange]
                Words.fold(text.span, into: &words)
            case .object, .array, .name, .yes, .no, .null: break
            }
            return
        }
        if !step.matchesAll {
            guard let value = document.value(of: step.name, in: index) else { return }
            return collect(path.dropFirst(), of: document, at: value, &words)
        }
        let nameCount: Int
        switch entry.tag {
        case .object: nameCount = 1
        case .array: nameCount = 0
        case .string, .number, .name, .yes, .no, .null: return
        }
        var place = index + 1
        while place < Int(entry.next) {
            collect(path.dropFirst(), of: document, at: place + nameCount, &words)
            place = Int(document.tape[place + nameCount].next)
        }
    }
}

extension FieldPlan.Field {
    /// The field's value in the object at `root` of the tape; nil if there is none of its kind.
    ///
    /// O(members on its paths).
    func value(in document: JSONDocument, at root: Int) -> FieldValue? {
        for path in paths {
            guard let place = Self.place(at: path, in: document, root) else { continue }
            switch (kind, document.tape[place].tag) {
            case (.number, .number): return document.node(at: place).double.map { .number($0) }
            case (.text, .string):
                // SQLite ends a text at its first NUL, so a text with a NUL can't be queried.
                let text = document.node(at: place).unescaped
                return text.contains(0) ? nil : .text(String(decoding: text, as: UTF8.self))
            case (.flag, .yes): return .flag(true)
            case (.flag, .no): return .flag(false)
            default: return nil
            }
        }
        return nil
    }

    private static func place(
        at path: [FieldPlan.Step], in document: JSONDocument, _ root: Int
    ) -> Int? {
        var place = root
        for step in path {
            guard
                let next = document.value(of: step.name, in: place)
                    ?? step.position.flatMap({ document.element($0, of: place) })
            else { return nil }
            place = next
        }
        return place
    }
}
