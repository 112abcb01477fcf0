// The versions of the vendors' wire formats.
// Invariant: a raw value never changes, since records and queries hold it.

/// One version of a vendor's wire format.
public enum Contract: String, CaseIterable, Sendable {
    /// Dimmy before it was renamed: `response` in standard Base64, snake_case items.
    case dimmy2024 = "dimmy-2024"
    /// Flux: `status`, `response` in base64url or `error`, camelCase items.
    case flux
    /// Welltory's measurement result as plain parameters.
    case welltoryDDS = "welltory-dds"
    /// Ailet's visit report: JSON in `result`.
    case ailetDeeplink = "ailet-deeplink"
}
