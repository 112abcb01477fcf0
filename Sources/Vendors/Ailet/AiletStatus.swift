// The statuses of an Ailet report (vendor document 3.2). Invariant: the name identifies a status;
// callbacks carry names only, the codes are from the vendor's documentation.

/// The status of a visit.
struct AiletStatus {
    /// The code in the vendor document; nil for a name without one.
    let code: Int?
    let outcome: Outcome?
    let isKnown: Bool

    /// Parses a status name; Android's names lack the prefix `IR_` (vendor document 3.2).
    init(named name: String) {
        let plain = name.hasPrefix("IR_") ? name.dropFirst(3) : name[...]
        code = Self.codes[String(plain)]
        isKnown = code != nil || Self.namesWithoutCode.contains(String(plain))
        switch plain {
        case "RESULT_OK": outcome = .completed
        case "RESULT_EMPTY": outcome = .empty
        case "RESULT_INPROGRESS", "RESULT_INPROGRESS_OFFLINE": outcome = .inProgress
        default: outcome = plain.contains("ERROR") ? .error : nil
        }
    }

    /// All names of statuses, with the prefix and in Android's form.
    static let names = namesWithoutCode.union(codes.keys).sorted().flatMap { ["IR_" + $0, $0] }

    private static let codes = [
        "RESULT_OK": 1, "RESULT_EMPTY": 2, "ERROR": 5, "ERROR_NO_INET": 6, "ERROR_TOKEN": 7,
        "ERROR_STORE_ID_INCORRECT": 10, "ERROR_VISIT_ID_INCORRECT": 12, "ERROR_AUTH": 13,
        "RESULT_INPROGRESS": 16, "ERROR_NOVISIT": 17,
    ]

    private static let namesWithoutCode: Set = [
        "RESULT_INPROGRESS_OFFLINE", "ERROR_READONLY_VISIT", "ERROR_INCORRECT_INPUT_PARAMS",
        "ERROR_PHOTO", "ERROR_BUSY", "ERROR_CANT_LOAD_VISIT",
        // Of older versions of the library.
        "ERROR_STORES_EMPTY", "ERROR_INCORRECT_METHOD",
    ]
}
