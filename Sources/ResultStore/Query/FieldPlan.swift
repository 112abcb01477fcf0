// What a catalog declares for one vendor, prepared for reading: every new record is read by it.
//
// Invariant: reads what the catalog's paths say. Everything is in flat arrays of plain values: all
// event loops read them at the same time, and counting references to shared parts would make them
// wait for each other. Left out: what is done with values and words.

import JSON

/// The fields and the searched text of one vendor's results.
struct FieldPlan: Sendable {
    /// One name of a path.
    private struct Step: Sendable {
        /// The name in `names`.
        let name: Range<Int>
        /// The name as the position of an array's element; nil for another name.
        let position: Int?
        /// Whether it matches every element and member, where a path may say so.
        let matchesAll: Bool
    }

    /// A declared field.
    private struct Field: Sendable {
        /// The index in the catalog.
        let index: Int
        let kind: FieldCatalog.Kind
        /// Indices of `paths`.
        let paths: Range<Int>
    }

    private let names: [UInt8]
    private let steps: [Step]
    /// Indices of `steps`.
    private let paths: [Range<Int>]
    private let fields: [Field]
    /// Indices of `paths`.
    private let words: Range<Int>

    /// Prepares what a catalog declares for a vendor.
    init(
        _ vendor: String, fields allFields: [FieldCatalog.Field], words: [FieldCatalog.WordPath]
    ) {
        var names: [UInt8] = []
        var steps: [Step] = []
        var paths: [Range<Int>] = []
        func add(_ path: [String]) {
            let first = steps.count
            for name in path {
                let start = names.count
                names.append(contentsOf: name.utf8)
                steps.append(
                    Step(
                        name: start..<names.count, position: Int(name), matchesAll: name == "*"))
            }
            paths.append(first..<steps.count)
        }
        var fields: [Field] = []
        for (index, field) in allFields.enumerated() where field.vendor == vendor {
            let first = paths.count
            for path in field.paths { add(path) }
            fields.append(Field(index: index, kind: field.kind, paths: first..<paths.count))
        }
        let first = paths.count
        for word in words where word.vendor == vendor { add(word.path) }
        self.words = first..<paths.count
        (self.names, self.steps, self.paths, self.fields) = (names, steps, paths, fields)
    }

    // MARK: Values

    /// Adds the values of the fields in the object at `root` of the tape.
    ///
    /// O(fields · members on their paths).
    func addValues(in document: JSONDocument, at root: Int, to values: inout FieldValues) {
        let (fields, paths) = (fields.span, paths.span)
        values.reserveCapacity(fields.count)
        for number in fields.indices {
            let field = fields[number]
            for path in field.paths {
                guard let place = place(at: paths[path], in: document, root) else { continue }
                let value = Self.value(of: field.kind, in: document, at: place)
                if let value { values.add(value, at: field.index) }
                break
            }
        }
    }

    private func place(at path: Range<Int>, in document: JSONDocument, _ root: Int) -> Int? {
        let (steps, names) = (steps.span, names.span)
        var place = root
        for number in path {
            let step = steps[number]
            guard
                let next = document.value(of: names.extracting(step.name), in: place)
                    ?? step.position.flatMap({ document.element($0, of: place) })
            else { return nil }
            place = next
        }
        return place
    }

    private static func value(
        of kind: FieldCatalog.Kind, in document: JSONDocument, at place: Int
    ) -> FieldValue? {
        switch (kind, document.tape[place].tag) {
        case (.number, .number): return document.double(at: place).map { .number($0) }
        case (.text, .string):
            // SQLite ends a text at its first NUL, so a text with a NUL can't be queried.
            let text = document.unescaped(at: place)
            return text.contains(0) ? nil : .text(String(decoding: text, as: UTF8.self))
        case (.flag, .yes): return .flag(true)
        case (.flag, .no): return .flag(false)
        default: return nil
        }
    }

    // MARK: Words

    /// Appends the folded words of the text at the paths, in the object at `root` of the tape.
    func collectWords(of document: JSONDocument, at root: Int, into words: inout [UInt8]) {
        for number in self.words { collect(paths[number], of: document, at: root, &words) }
    }

    /// Appends the words at the end of `path`, starting at `index` of the tape.
    private func collect(
        _ path: Range<Int>, of document: JSONDocument, at index: Int, _ words: inout [UInt8]
    ) {
        guard words.count < Limits.recordWordBytes else { return }
        let entry = document.tape[index]
        guard !path.isEmpty else {
            switch entry.tag {
            case .string:
                let text = document.unescaped(at: index).prefix(Limits.recordWordBytes)
                Words.fold(text.span, into: &words)
            case .number:
                Words.fold(document.bytes.span.extracting(entry.byteRange), into: &words)
            case .object, .array, .name, .yes, .no, .null: break
            }
            return
        }
        let (step, rest) = (steps[path.lowerBound], path.dropFirst())
        if !step.matchesAll {
            let name = names.span.extracting(step.name)
            guard let value = document.value(of: name, in: index) else { return }
            return collect(rest, of: document, at: value, &words)
        }
        let nameCount: Int
        switch entry.tag {
        case .object: nameCount = 1
        case .array: nameCount = 0
        case .string, .number, .name, .yes, .no, .null: return
        }
        var place = index + 1
        while place < Int(entry.next) {
            collect(rest, of: document, at: place + nameCount, &words)
            place = Int(document.tape[place + nameCount].next)
        }
    }
}
