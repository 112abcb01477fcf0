// Flux's webhooks, signed in every way that a receiver must accept or refuse (vendor document 1.4).

import Emulator
import FoundationEssentials
import Settings
import Vendors

/// The fields for an id and a body at a time, in seconds since 1970.
private typealias Signature =
    @Sendable (_ id: String, _ body: [UInt8], _ now: Int64) -> [(name: String, value: String)]

extension CheckPlan {
    /// How a delivery is signed.
    private struct Signing {
        let name: String
        let isTrusted: Bool
        let fields: Signature
        /// Changes the body after it was signed.
        var isChanged = false
    }

    /// Deliveries of both events; empty without a secret.
    func webhooks() throws -> [Check] {
        guard let secret, let webhook = contract.vendor.webhook else { return [] }
        let bodies = try app(of: webhook.launching).webhooks.map { ($0.event, $0.body) }
        let signed = Self.signed(with: secret)
        var checks = bodies.map { event, body in
            delivery("\(event), signed", .accepted, body, id: event, signed)
        }
        guard let (event, body) = bodies.first else { return checks }
        checks.append(
            delivery("\(event), the same delivery again", .accepted, body, id: event, signed))
        for (index, signing) in signings(secret).enumerated() {
            var check = delivery(
                "\(event), \(signing.name)", signing.isTrusted ? .accepted : .refused, body,
                id: "\(index)", signing.fields)
            if signing.isChanged { check.body = Array(#"{"item_ids":["another"]}"#.utf8) }
            checks.append(check)
        }
        let broken = Array(body.dropLast(2))
        checks.append(
            delivery("signed JSON that is cut off", .answered, broken, id: "broken", signed))
        return checks
    }

    private static func signed(with secret: WebhookSecret) -> Signature {
        { WebhookSignature.fields(id: $0, timestamp: $2, body: $1, secret: secret) }
    }

    private func signings(_ secret: WebhookSecret) -> [Signing] {
        let signed = Self.signed(with: secret)
        let other = WebhookSecret(
            "whsec_" + Data("another secret of 24 byte".utf8).base64EncodedString())
        return [
            Signing(name: "with the fields webhook-id, -timestamp and -signature", isTrusted: true)
            {
                signed($0, $1, $2).map { field in
                    (name: "webhook-" + field.name.dropFirst("svix-".count), value: field.value)
                }
            },
            Signing(name: "with the valid signature after another one", isTrusted: true) {
                signed($0, $1, $2).map { field in
                    let isSignature = field.name == "svix-signature"
                    let other = isSignature ? "v1,bm90IHRoaXMgb25l " : ""
                    return (name: field.name, value: other + field.value)
                }
            },
            Signing(name: "signed with another key", isTrusted: false) { id, body, now in
                other.map {
                    WebhookSignature.fields(id: id, timestamp: now, body: body, secret: $0)
                } ?? []
            },
            Signing(
                name: "changed after it was signed", isTrusted: false,
                fields: { signed($0, $1, $2) }, isChanged: true),
            Signing(name: "signed 10 minutes ago", isTrusted: false) { signed($0, $1, $2 - 600) },
            Signing(name: "signed 10 minutes ahead", isTrusted: false) {
                signed($0, $1, $2 + 600)
            },
            Signing(name: "with an empty signature", isTrusted: false) {
                signed($0, $1, $2).map { field in
                    let isSignature = field.name == "svix-signature"
                    return (name: field.name, value: isSignature ? "v1," : field.value)
                }
            },
            Signing(name: "without a signature", isTrusted: false) { id, _, _ in [("svix-id", id)]
            },
        ]
    }

    private func delivery(
        _ name: String, _ expectation: Check.Expectation, _ body: [UInt8], id: String,
        _ fields: @escaping Signature
    ) -> Check {
        let id = "msg_\(run)_\(id)"
        var check = post(.webhooks, name, expectation, body, "application/json")
        check.signature = { fields(id, body, $0) }
        return check
    }
}
