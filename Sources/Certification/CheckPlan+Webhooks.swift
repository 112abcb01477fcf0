// Flux's webhooks, signed in every way that a receiver must accept or refuse (vendor document 1.4).

import Emulator
import FoundationEssentials
import Settings
import Vendors

extension CheckPlan {
    /// How a delivery is signed.
    private struct Signing {
        let name: String
        let isTrusted: Bool
        /// The fields for an id and a body.
        let fields: @Sendable (_ id: String, _ body: [UInt8]) -> [(name: String, value: String)]
        /// Changes the body after it was signed.
        var isChanged = false
    }

    /// Deliveries of both events; empty without a secret.
    func webhooks() throws -> [Check] {
        guard let secret, let webhook = contract.vendor.webhook else { return [] }
        let bodies = try app(of: webhook.launching).webhooks.map { ($0.event, $0.body) }
        var checks: [Check] = []
        for (event, body) in bodies {
            checks.append(
                delivery(
                    "\(event), signed", .accepted, body,
                    WebhookSignature.fields(
                        id: "msg_\(run)_\(event)", timestamp: now, body: body, secret: secret)))
        }
        guard let (event, body) = bodies.first else { return checks }
        checks.append(
            delivery(
                "\(event), the same delivery again", .accepted, body,
                WebhookSignature.fields(
                    id: "msg_\(run)_\(event)", timestamp: now, body: body, secret: secret)))
        for (index, signing) in signings(secret).enumerated() {
            var check = delivery(
                "\(event), \(signing.name)", signing.isTrusted ? .accepted : .refused, body,
                signing.fields("msg_\(run)_\(index)", body))
            if signing.isChanged { check.body = Array(#"{"item_ids":["another"]}"#.utf8) }
            checks.append(check)
        }
        let broken = Array(body.dropLast(2))
        checks.append(
            delivery(
                "signed JSON that is cut off", .answered, broken,
                WebhookSignature.fields(
                    id: "msg_\(run)_broken", timestamp: now, body: broken, secret: secret)))
        return checks
    }

    private func signings(_ secret: WebhookSecret) -> [Signing] {
        let now = now
        let other = WebhookSecret(
            "whsec_" + Data("another secret of 24 byte".utf8).base64EncodedString())
        let signed: @Sendable (String, [UInt8], Int64) -> [(name: String, value: String)] = {
            WebhookSignature.fields(id: $0, timestamp: $2, body: $1, secret: secret)
        }
        return [
            Signing(name: "with the fields webhook-id, -timestamp and -signature", isTrusted: true)
            {
                signed($0, $1, now).map { field in
                    (name: "webhook-" + field.name.dropFirst("svix-".count), value: field.value)
                }
            },
            Signing(name: "with the valid signature after another one", isTrusted: true) {
                signed($0, $1, now).map { field in
                    let isSignature = field.name == "svix-signature"
                    let other = isSignature ? "v1,bm90IHRoaXMgb25l " : ""
                    return (name: field.name, value: other + field.value)
                }
            },
            Signing(name: "signed with another key", isTrusted: false) { id, body in
                other.map {
                    WebhookSignature.fields(id: id, timestamp: now, body: body, secret: $0)
                } ?? []
            },
            Signing(
                name: "changed after it was signed", isTrusted: false,
                fields: { signed($0, $1, now) }, isChanged: true),
            Signing(name: "signed 10 minutes ago", isTrusted: false) { signed($0, $1, now - 600) },
            Signing(name: "signed 10 minutes ahead", isTrusted: false) {
                signed($0, $1, now + 600)
            },
            Signing(name: "with an empty signature", isTrusted: false) {
                signed($0, $1, now).map { field in
                    let isSignature = field.name == "svix-signature"
                    return (name: field.name, value: isSignature ? "v1," : field.value)
                }
            },
            Signing(name: "without a signature", isTrusted: false) { id, _ in [("svix-id", id)] },
        ]
    }

    private func delivery(
        _ name: String, _ expectation: Check.Expectation, _ body: [UInt8],
        _ fields: [(name: String, value: String)]
    ) -> Check {
        var check = post(.webhooks, name, expectation, body, "application/json")
        check.fields += fields
        return check
    }
}
