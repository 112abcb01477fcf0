// Where two JSON values differ, by JSON pointer (RFC 6901).

/// The comparison of two values.
package enum JSONDifference {
    /// Reports every place where two values differ.
    ///
    /// A difference is a member that only one side has, or scalars that are written differently.
    /// The order of members is ignored; of repeated names the first is used. O(size · depth).
    package static func find(
        _ old: JSONNode, _ new: JSONNode, at pointer: String,
        _ report: (_ pointer: String, _ old: JSONNode?, _ new: JSONNode?) -> Void
    ) {
        if old.text.elementsEqual(new.text) { return }
        guard old.kind == new.kind else { return report(pointer, old, new) }
        switch old.kind {
        case .object:
            let (left, right) = (Members(old), Members(new))
            for member in left.inOrder {
                let other = right.values[member.name.unescaped]
                if let other {
                    find(member.value, other, at: place(of: member, in: pointer), report)
                } else {
                    report(place(of: member, in: pointer), member.value, nil)
                }
            }
            for member in right.inOrder where left.values[member.name.unescaped] == nil {
                report(place(of: member, in: pointer), nil, member.value)
            }
        case .array:
            let (left, right) = (Array(old.elements), Array(new.elements))
            for index in 0..<max(left.count, right.count) {
                let place = "\(pointer)/\(index)"
                if index < left.count, index < right.count {
                    find(left[index], right[index], at: place, report)
                } else {
                    report(
                        place, index < left.count ? left[index] : nil,
                        index < right.count ? right[index] : nil)
                }
            }
        case .string, .number, .boolean, .null:
            report(pointer, old, new)
        }
    }

    private static func place(of member: JSONMember, in pointer: String) -> String {
        "\(pointer)/\(JSONNode.pointerToken(member.name.string ?? ""))"
    }

    /// The first members of an object with each name.
    private struct Members {
        private(set) var inOrder: [JSONMember] = []
        private(set) var values: [ArraySlice<UInt8>: JSONNode] = [:]

        init(_ object: JSONNode) {
            for member in object.members where values[member.name.unescaped] == nil {
                values[member.name.unescaped] = member.value
                inOrder.append(member)
            }
        }
    }
}
