// The statuses of an Ailet report (vendor document 3.2). Invariant: the name identifies a status;
// callbacks carry names only, the codes are from the vendor's documentation.

/// The status of a visit.
struct AiletStatus {
    /// The code in the vendor document; nil for a name without one.
    let code: Int?
    let outcome: Outcome?
    /// Whether the name is known, and no common word such as `busy`.
    let isDistinct: Bool

    /// Parses a status name; Android's names lack the prefix `IR_` (vendor document 3.2).
    init(named name: String) {
        let plain = String(name.hasPrefix("IR_") ? name.dropFirst(3) : name[...])
        let ofLibrary = Self.libraryCodes[name]
        code = Self.codes[plain] ?? ofLibrary
        isDistinct =
            Self.codes[plain] != nil || Self.namesWithoutCode.contains(plain)
            || ofLibrary != nil && name.hasPrefix("IR")
        switch plain {
        case "RESULT_OK": outcome = .completed
        case "RESULT_EMPTY": outcome = .empty
        case "RESULT_INPROGRESS", "RESULT_INPROGRESS_OFFLINE", "inProgress", "IRErrorInProgress":
            outcome = .inProgress
        default: outcome = plain.contains("ERROR") || ofLibrary != nil ? .error : nil
        }
    }

    /// All names of statuses, with the prefix and in Android's form, and those of the library.
    static let names =
        namesWithoutCode.union(codes.keys).sorted().flatMap { ["IR_" + $0, $0] }
        + libraryCodes.keys.sorted()

    private static let codes = [
        "RESULT_OK": 1, "RESULT_EMPTY": 2, "ERROR": 5, "ERROR_NO_INET": 6, "ERROR_TOKEN": 7,
        "ERROR_STORE_ID_INCORRECT": 10, "ERROR_VISIT_ID_INCORRECT": 12, "ERROR_AUTH": 13,
        "RESULT_INPROGRESS": 16, "ERROR_NOVISIT": 17,
        // Of the library for iOS.
        "ERROR_NOT_MULTIPORTAL_MODE": 23, "ERROR_PORTAL_INCORRECT": 24, "ERROR_EMPTY_PORTAL": 25,
    ]

    private static let namesWithoutCode: Set = [
        "RESULT_INPROGRESS_OFFLINE", "ERROR_READONLY_VISIT", "ERROR_INCORRECT_INPUT_PARAMS",
        "ERROR_PHOTO", "ERROR_BUSY", "ERROR_CANT_LOAD_VISIT",
        // Of older versions of the library.
        "ERROR_STORES_EMPTY", "ERROR_INCORRECT_METHOD", "ERROR_EMPTY_SESSION_ID",
        "ERROR_INCORRECT_SESSION_NAME",
    ]

    /// The errors of the library for iOS, as Swift and Objective-C name them.
    private static let libraryCodes = Dictionary(
        uniqueKeysWithValues: [
            ("busy", 0), ("unknown", 5), ("noConnection", 6), ("tokenError", 7),
            ("catalogsError", 9), ("incorrectStoreId", 10), ("incorrectVisitId", 12),
            ("authError", 13), ("inProgress", 16), ("serverError", 20),
            ("notMultiportalMode", 23), ("incorrectPortal", 24), ("emptyPortal", 25),
        ].flatMap { name, code in
            [(name, code), ("IRError" + name.prefix(1).uppercased() + name.dropFirst(), code)]
        })
}
