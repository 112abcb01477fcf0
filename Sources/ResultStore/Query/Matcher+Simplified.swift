// Simplifies a condition when part of a record is known. The index checks only what remains for
// each group of records that share six values.

extension Matcher {
    /// The condition for records with these values; parts that the values decide are removed.
    ///
    /// Also removed are fields that the vendor doesn't declare, and `has` of fields that every
    /// record has. Returns `Condition.everything` or `Condition.nothing` if nothing remains to be
    /// checked. O(size of the condition · fields).
    package func simplified(
        kind: RecordKind, vendor: String, contract: String?, outcome: String?, verdict: String,
        method: String
    ) -> Condition {
        condition.replacingLeaves { leaf in
            let decision: Bool? =
                switch leaf {
                case .compare(.kind, let relation, let value):
                    value.is(kind.rawValue, relation)
                case .compare(.vendor, let relation, let value): value.is(vendor, relation)
                case .compare(.contract, let relation, let value): value.is(contract, relation)
                case .compare(.outcome, let relation, let value): value.is(outcome, relation)
                case .compare(.verdict, let relation, let value): value.is(verdict, relation)
                case .compare(.method, let relation, let value): value.is(method, relation)
                case .compare(.result(let name), _, _), .has(.result(let name)):
                    catalog.declares(name, for: vendor) ? nil : false
                case .has(.contract): contract != nil
                case .has(.outcome): outcome != nil
                case .has(.flow), .has(.trace), .has(.answered), .has(.host), .has(.parameter): nil
                case .has: true
                case .compare, .all, .any, .not, .words: nil
                }
            return decision.map(Condition.constant) ?? leaf
        }
    }
}

extension QueryValue {
    /// Whether a text field's value has the relation to the wanted one.
    fileprivate func `is`(_ found: String?, _ relation: Relation) -> Bool {
        guard case .text(let text) = self, relation == .equal else { return false }
        return found.isSame(as: text)
    }
}
