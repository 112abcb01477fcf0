// Reads names and values of parameters in the message's bytes.
//
// Every parameter name is compared with every name of a contract, so the comparisons are loops over
// bytes: closures and iterators are not always inlined, and cost more than the comparison.

import Text

extension Message {
    /// The parameter `name`; the first one, unless `resolveDuplicates` has left only one.
    func parameter(_ name: String) -> Parameter? {
        for parameter in parameters where isNamed(parameter, name) { return parameter }
        return nil
    }

    /// The decoded name of the parameter.
    func name(of parameter: Parameter) -> ArraySlice<UInt8> {
        nameBytes(of: parameter)[parameter.nameRange]
    }

    /// The raw value of the parameter.
    func value(of parameter: Parameter) -> EscapedText {
        EscapedText(
            part: parameter.part, bytes: bytes(of: parameter.part), range: parameter.valueRange,
            escaping: parameter.escaping)
    }

    /// Whether the parameter's name is exactly `name`.
    func isNamed(_ parameter: Parameter, _ name: String) -> Bool {
        let range = parameter.nameRange
        return range.count == name.utf8.count
            && nameBytes(of: parameter).span.isText(
                name, from: range.lowerBound, to: range.upperBound)
    }

    /// Whether both names are the same bytes.
    func haveSameName(_ first: Parameter, _ second: Parameter) -> Bool {
        guard first.nameRange.count == second.nameRange.count else { return false }
        let (bytes, otherBytes) = (nameBytes(of: first), nameBytes(of: second))
        let (text, other) = (bytes.span, otherBytes.span)
        let distance = second.nameRange.lowerBound - first.nameRange.lowerBound
        for index in first.nameRange where text[index] != other[index + distance] { return false }
        return true
    }
}
