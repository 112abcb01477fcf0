// The possible problems of a Rezolve token, one name for each (vendor document 4.1).
//
// Invariant: a raw value never changes, because programs and stored results contain it; a message
// never repeats the key or the signature.

/// One reason why a token is invalid.
public struct TokenProblem: Error, Sendable, Equatable {
    /// The kinds of problems.
    public enum Code: String, CaseIterable, Sendable {
        // Form.

        /// There are not three parts separated by dots (RFC 7515 §3.1).
        case notThreeParts = "not_three_parts"
        /// A part ends with `=`, which tokens leave out (RFC 7515 §2).
        case base64Padding = "base64_padding"
        /// A part has `+` or `/`, the standard alphabet instead of the URL alphabet (RFC 4648 §5).
        case base64Alphabet = "base64_alphabet"
        /// A part has a character that is not Base64, or one character too many or too few.
        case brokenBase64 = "broken_base64"
        /// Header or claims are not JSON.
        case brokenJSON = "broken_json"
        /// Header or claims are JSON, but not an object.
        case notAnObject = "not_an_object"
        /// Header or claims repeat a name, which readers resolve differently.
        case duplicateMember = "duplicate_member"

        // Header.

        /// `alg` is missing or not HS512.
        case wrongAlgorithm = "wrong_algorithm"
        /// `typ` is missing or not JWT.
        case wrongType = "wrong_typ"
        /// `crit` requires extensions, of which Rezolve's tokens have none (RFC 7515 §4.1.11).
        case criticalHeader = "critical_header"
        /// The header says `"v2":"v2"` instead of `"auth":"v2"`, as the vendor's samples do.
        case misnamedAuth = "misnamed_auth"
        /// A login token without `"auth":"v2"` in its header.
        case missingAuth = "missing_auth"

        // Claims.

        /// A claim of the contract is missing, null or empty.
        case missingClaim = "missing_claim"
        /// A claim has another type than the contract requires.
        case wrongClaimType = "wrong_claim_type"
        /// `rezolve_entity_id` is neither `:NONE:` nor an entity's id, or another entity's.
        case wrongEntityID = "wrong_entity_id"
        /// `exp` is in milliseconds; it must be in seconds.
        case expiryInMilliseconds = "expiry_in_milliseconds"
        /// `exp` lies more than 30 minutes ahead.
        case expiryTooFar = "expiry_too_far"
        /// `exp` has passed.
        case expired
        /// `nbf` lies ahead (RFC 7519 §4.1.5).
        case notYetValid = "not_yet_valid"

        // Signature.

        /// There was no key to check the signature with.
        case signatureNotChecked = "signature_not_checked"
        /// The signature's length is not that of HS512, 64 bytes.
        case wrongSignatureLength = "wrong_signature_length"
        /// The signature was made with the Base64-decoded key; the key is text.
        case keyWasDecoded = "key_was_decoded"
        /// The signature was made with the key and whitespace around it.
        case keyHasWhitespace = "key_has_whitespace"
        /// The signature matches the key, but another encoding of header or claims.
        case alteredAfterSigning = "altered_after_signing"
        /// The signature matches neither the key nor a common mistake.
        case badSignature = "bad_signature"

        // Use.

        /// `device_id` differs from the request's field `x-rezolve-device-id`.
        case deviceIDMismatch = "device_id_mismatch"
        /// A registration token where a login token belongs, or the other way round.
        case wrongKind = "wrong_kind"
    }

    /// The kind of problem.
    public let code: Code

    /// The problem and what to do about it, for people.
    public let message: String

    /// Byte offset in the token, from 0; nil if the problem has no position.
    public let offset: Int?

    /// Creates a problem.
    public init(_ code: Code, at offset: Int? = nil, _ message: String) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
