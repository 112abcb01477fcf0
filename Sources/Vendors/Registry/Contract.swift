// The versions of the vendors' wire formats. Invariant: a raw value never changes, because records
// and queries contain it.

/// One version of a vendor's wire format.
public enum Contract: String, CaseIterable, Sendable {
    /// Dimmy before it was renamed: `response` in standard Base64, snake_case items.
    case dimmy2024 = "dimmy-2024"
    /// Flux: `status`, `response` in base64url or `error`, camelCase items.
    case flux
    /// Flux's webhook: a POST from server to server, signed as Svix does.
    case fluxWebhook = "flux-webhook"
    /// Welltory's measurement result as plain parameters.
    case welltoryDDS = "welltory-dds"
    /// Ailet's visit report: JSON in `result`.
    case ailetDeeplink = "ailet-deeplink"
    /// Rezolve's link to a product, a category or an engagement.
    case rezolveTrigger = "rezolve-trigger"
    /// Rezolve's form, as a consumer filled it in.
    case rezolveAct = "rezolve-act"
    /// x-callback-url 1.0: what a target app appends to a callback URL.
    case xCallbackURL = "x-callback-url"
}
