// The position of a node for people and tools. Used for diagnostics, so speed doesn't matter.

extension JSONNode {
    /// Offset, line and column of the value's first byte, in O(offset).
    public var position: JSONPosition {
        JSONPosition(offset: byteRange.lowerBound, in: document.bytes)
    }

    /// The JSON pointer (RFC 6901) to this value, `""` for the root; in O(document).
    ///
    /// A member's name has the pointer of its value. Members with equal names have the same
    /// pointer, because RFC 6901 can't distinguish them.
    public var pointer: String {
        var pointer = ""
        var container = document.root
        while container.index < index, let step = container.step(towards: index) {
            pointer += "/" + step.token
            container = step.child
        }
        return pointer
    }

    /// The child whose subtree contains the tape index `target`, and its pointer token.
    private func step(towards target: Int) -> (token: String, child: JSONNode)? {
        if kind == .object {
            for member in members where target < member.value.next {
                return (Self.pointerToken(member.name.string ?? ""), member.value)
            }
        }
        for (position, element) in elements.enumerated() where target < element.next {
            return (String(position), element)
        }
        return nil
    }

    /// A name as a token of a JSON pointer (RFC 6901 §3), in O(length).
    package static func pointerToken(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") })
        else { return name }
        var token = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return token
    }
}
