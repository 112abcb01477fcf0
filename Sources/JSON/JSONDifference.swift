// Where two JSON values differ, by JSON pointer (RFC 6901).

/// The comparison of two values.
package enum JSONDifference {
    /// Reports every place where two values differ.
    ///
    /// A difference is a member that only one side has, or scalars that are written differently.
    /// The order of members is ignored; of repeated names the first is used. O(members²) within one
    /// object.
    package static func find(
        _ old: JSONNode, _ new: JSONNode, at pointer: String,
        _ report: (_ pointer: String, _ old: JSONNode?, _ new: JSONNode?) -> Void
    ) {
        guard old.kind == new.kind else { return report(pointer, old, new) }
        switch old.kind {
        case .object:
            for member in old.members {
                guard let name = member.name.string else { continue }
                let place = "\(pointer)/\(JSONNode.pointerToken(name))"
                if let other = new[name] {
                    find(member.value, other, at: place, report)
                } else {
                    report(place, member.value, nil)
                }
            }
            for member in new.members {
                guard let name = member.name.string, old[name] == nil else { continue }
                report("\(pointer)/\(JSONNode.pointerToken(name))", nil, member.value)
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
            if old.text != new.text { report(pointer, old, new) }
        }
    }
}
