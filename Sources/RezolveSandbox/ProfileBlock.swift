// The building blocks of a customer's profile (vendor document 4.7): one table of their members.
//
// Paths, `phones` and the members of an address are those of third-party tests of the vendor's
// servers; the other members are the properties of the vendor's models, in its spelling of wire
// names.

/// A building block of a customer's profile; its name is a component of the path.
package enum ProfileBlock: String, Sendable, CaseIterable, CustomDebugStringConvertible {
    case addressbook
    case phonebook
    case wallet
    case favourites
    case profile
    case publickey

    /// Calls are logged with their block.
    package var debugDescription: String { rawValue }

    /// What a block holds.
    package struct Shape {
        /// The member that holds the list; nil for a bare array.
        var list: String?
        /// Whether a customer has one entry, which the path of the block names.
        package var isSingle = false
        let required: [String]
        var optional: [String] = []
        /// Members that are taken, and never kept or shown.
        var secret: [String] = []
        /// The entry of a new customer.
        let starter: KeyValuePairs<String, String>
    }

    package var shape: Shape {
        switch self {
        case .addressbook:
            Shape(
                required: ["line_1", "city", "zip", "country"],
                optional: ["short_name", "full_name", "line_2", "state", "phone_id"],
                starter: [
                    "short_name": "Home", "full_name": "Sandbox Person",
                    "line_1": "1 Harbour Street", "line_2": "", "city": "Bristol", "state": "",
                    "zip": "BS1 0AA", "country": "GB", "phone_id": RezolveProfiles.starterID,
                ])
        case .phonebook:
            Shape(
                list: "phones", required: ["phone"], optional: ["name"],
                starter: ["name": "Home", "phone": "+4400000000"])
        case .wallet:
            Shape(
                required: ["type", "brand", "expires_on"],
                optional: [
                    "short_name", "card_holder_name", "valid_from", "pan4", "pan6", "address_id",
                ],
                secret: ["pan", "cvv"],
                starter: [
                    "short_name": "Card", "card_holder_name": "Sandbox Person", "type": "debit",
                    "brand": "visa", "expires_on": "1230", "valid_from": "0120", "pan4": "1111",
                    "pan6": "411111", "address_id": RezolveProfiles.starterID,
                ])
        case .favourites:
            Shape(
                required: ["provider", "type", "value"],
                starter: ["provider": "Sandbox Mobile", "type": "phone", "value": "+4400000000"])
        case .profile:
            Shape(
                isSingle: true, required: ["first_name", "last_name", "email"],
                optional: ["title", "name", "date_of_birth"],
                starter: [
                    "first_name": "Sandbox", "last_name": "Person",
                    "email": "person@sandbox.example",
                ])
        case .publickey:
            Shape(
                isSingle: true, required: ["public_key"],
                starter: [
                    // The private half of this key was not kept.
                    "public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEy262ZEJaeyNeS8tbwPHAsasHL2NE"
                        + "qI8FomH9IhjSwN3O/74+bveXMpxgezq18oY9Cg1UeNpKVpxLwQ/YtJDjcw=="
                ])
        }
    }
}
