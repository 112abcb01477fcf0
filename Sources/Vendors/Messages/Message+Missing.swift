// Explains why an essential parameter is missing: finds it in the wrong place.
//
// Invariant: used only for messages that can't be decoded, so any cost up to O(length × names) is
// acceptable. Adds diagnostics and repairs nothing.

import JSON
import Text

extension Message {
    /// Adds the reason why the message has none of `names`, if it is recognisable.
    ///
    /// - Returns: whether a reason is known; a lost body counts, and is already reported.
    mutating func explainMissing(_ names: [String]) -> Bool {
        if hasLostBody { return true }
        if let launch = launchedContract {
            findings.add(
                .error, .model, "launch_link", at: 0, expected: "a callback",
                found: "a launch link of \(launch.rawValue)",
                hint: "this link opens the vendor's app; the callback is what comes back from it")
            return true
        }
        return explainWrapping(names) || explainMisplaced(names) || explainSlip(names)
    }

    /// Whether one of `names` is in a place where parameters are not read.
    func misplaces(_ names: [String]) -> Bool {
        var message = self
        return message.explainMisplaced(names)
    }

    private mutating func explainMisplaced(_ names: [String]) -> Bool {
        explainFragment(names) || explainMissingMark(names) || explainEscapedPairs(names)
    }

    /// The contract whose app the message would open if it were a link; nil for a callback.
    var launchedContract: Contract? {
        Contract.launchable.first { $0.declaration.launch?.resembles(self) == true }
    }

    /// The members are nested in another member.
    private mutating func explainWrapping(_ names: [String]) -> Bool {
        for parameter in parameters where parameter.escaping == .none {
            let text = Array(value(of: parameter).unescaped().bytes)
            guard let root = try? JSONDocument(parsing: text).root,
                names.contains(where: { root[$0] != nil })
            else { continue }
            findings.add(
                .error, .model, "wrapped_parameters", in: parameter.part,
                at: parameter.valueRange.lowerBound, expected: "the parameters themselves",
                found: "an object that holds them, in \(Excerpt.quoted(name(of: parameter)))",
                hint: "send that object as the body")
            return true
        }
        return false
    }

    /// The parameters are after the `#` of the callback.
    private mutating func explainFragment(_ names: [String]) -> Bool {
        let target = bytes(of: .target)
        guard let mark = target.firstIndex(of: UInt8(ascii: "#")),
            Self.firstPair(in: target[mark...], after: "#?&", names) != nil
        else { return false }
        findings.add(
            .error, .url, "parameters_in_fragment", at: mark,
            expected: "parameters before the fragment", found: Excerpt.quoted(target[mark...]),
            hint: "append to the query, before #; nothing after it is sent to a server")
        return true
    }

    /// The first parameter is after `&` or `/`, without a `?`.
    private mutating func explainMissingMark(_ names: [String]) -> Bool {
        let target = bytes(of: .target)
        guard Self.startOfQuery(in: target) == nil,
            let place = Self.firstPair(in: target[...], after: "&/:", names)
        else { return false }
        findings.add(
            .error, .url, "missing_question_mark", at: place,
            expected: "? before the first parameter", found: Excerpt.quoted(target[place...]),
            hint: "append with ? when the callback URL holds none, else with &")
        return true
    }

    /// `=` and `&` were escaped too, which leaves one long name.
    private mutating func explainEscapedPairs(_ names: [String]) -> Bool {
        for parameter in parameters {
            let name = name(of: parameter)
            guard let equals = name.firstIndex(of: UInt8(ascii: "=")),
                names.contains(where: { name[..<equals].elementsEqual($0.utf8) })
            else { continue }
            findings.add(
                .error, .percent, "escaped_separators", in: parameter.part, at: parameter.offset,
                expected: "plain = and & between names and values", found: Excerpt.quoted(name),
                hint: "percent-encode each name and value by itself, not the whole query")
            return true
        }
        return false
    }

    /// A name is misspelled.
    private mutating func explainSlip(_ names: [String]) -> Bool {
        for parameter in parameters {
            if names.contains(where: { isNamed(parameter, $0) }) { continue }
            let name = name(of: parameter)
            guard let right = Spelling.nearest(to: name, of: names), !has(right) else { continue }
            findings.add(
                .error, .model, "misspelled_parameter", in: parameter.part, at: parameter.offset,
                expected: right, found: Excerpt.quoted(name), hint: "perhaps \(right) is meant")
            return true
        }
        return false
    }

    /// The position of one of `marks` before one of `names` and `=`.
    private static func firstPair(
        in text: ArraySlice<UInt8>, after marks: String, _ names: [String]
    ) -> Int? {
        text.indices.first { index in
            guard marks.utf8.contains(text[index]) else { return false }
            let rest = text[(index + 1)...]
            return names.contains { name in
                let length = name.utf8.count
                return rest.count > length && rest.starts(with: name.utf8)
                    && rest[rest.startIndex + length] == UInt8(ascii: "=")
            }
        }
    }
}
