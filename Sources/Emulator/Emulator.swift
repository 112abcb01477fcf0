// The state that all emulated vendors share: plans, allowed callback targets, deliveries.

import Clocks
import Logging
import ResultStore
import Settings
import Vendors

/// The vendors' emulators of one server.
package struct Emulator: Sendable {
    package let plans: ScenarioPlans
    package let subjects = EmulatedSubjects()
    package let items: EmulatedItems
    /// The partners that Welltory knows; nil takes every one for known.
    package let partners: [RegisteredPartner]?
    package let targets: CallbackTarget
    package let deliveries: Deliveries
    private let configuration: Configuration.Emulator
    private let log: Logger

    /// - Parameters:
    ///   - isLocal: whether the server needs no token (see `CallbackTarget.isLocal`).
    ///   - pseudonyms: mask values before they are stored; nil stores them unchanged.
    package init(
        _ configuration: Configuration, isLocal: Bool, siteHosts: some Sequence<String>,
        store: ResultStore,
        masking pseudonyms: Pseudonyms?, plans: ScenarioPlans = ScenarioPlans(), log: Logger
    ) {
        self.plans = plans
        self.configuration = configuration.emulator
        partners = configuration.welltoryPartners
        items = EmulatedItems(
            keys: configuration.dimmyKeys ?? (isLocal ? [Configuration.developmentDimmyKey] : []))
        self.log = log
        targets = CallbackTarget(
            allowedHosts: configuration.emulator.allowedHosts,
            ownHosts: Set(siteHosts).union(configuration.receivers.map(\.host))
                .subtracting(Vendor.emulatedHosts),
            isLocal: isLocal)
        deliveries = Deliveries(
            isErased: { await store.hasErased($0, log) },
            onAttempt: { attempt in
                let kept = await store.keep(attempt, masking: pseudonyms, log)
                guard let kept, let launch = attempt.delivery.launch, launch.knownSequence != nil
                else { return }
                // If the launch was erased meanwhile, the record of this attempt must go too: it
                // names the inbox and repeats the launch.
                await store.erase([kept.id], ifErased: launch.id, since: launch.sequence) {
                    log.report("a delivery whose launch may be erased can't be erased", kept.id, $0)
                }
            })
    }

    /// Why the server can't send the callbacks that remain after a redirect to the first of
    /// `answers`; nil if it can, or if none remains.
    func refusal(
        ofDelivering answers: [PlannedCallback], to callback: CallbackURL?
    ) -> CallbackTarget.Refusal? {
        guard let callback, callback.kind == .web,
            answers.count > 1 || answers.first?.body != nil
        else { return nil }
        return targets.refusal(of: callback, for: .delivery)
    }

    /// The deliveries for a launch: the callbacks that remain after a redirect to the first one, or
    /// all if they are posted, and webhooks.
    ///
    /// Their targets were allowed before.
    ///
    /// - Parameter isPlayed: whether the client acts as the device and opens the callbacks itself.
    func deliveries(
        of launch: OpenedLaunch, _ item: EmulatedItem?, _ answers: [PlannedCallback],
        isPlayed: Bool
    ) -> [Delivery] {
        var deliveries = webhooks(of: launch, item)
        guard !isPlayed, let callback = launch.check.callback, callback.kind == .web else {
            return deliveries
        }
        let mayConnect = targets.policy(for: callback.host ?? "")
        let delivered = answers.first?.body == nil ? answers.dropFirst() : answers[...]
        for answer in delivered {
            var delivery = Delivery(
                flow: launch.flow, inbox: launch.inbox, contract: launch.contract,
                after: answer.after, method: answer.body == nil ? .get : .post, url: answer.url)
            delivery.mayConnect = mayConnect
            if let (type, bytes) = answer.body?.content {
                delivery.body = bytes
                delivery.fields = { _ in [("Content-Type", type)] }
            }
            deliveries.append(delivery)
        }
        return deliveries
    }

    /// Reserves places for the deliveries of a launch; false if there are too few.
    ///
    /// `deliveries.add` or `deliveries.withdraw` must follow.
    package func reserve(_ wanted: [Delivery]) -> Bool {
        if deliveries.reserve(wanted) { return true }
        log.warning(
            "a launch was refused: too many deliveries are waiting",
            metadata: ["deliveries": "\(wanted.count)"])
        return false
    }

    /// The webhooks that Flux's server posts for a finished flow: a notification, and the item
    /// itself (vendor document 1.4).
    ///
    /// They don't depend on the link's callback. None without a configured URL, which may lead
    /// anywhere because the operator chose it.
    private func webhooks(of launch: OpenedLaunch, _ item: EmulatedItem?) -> [Delivery] {
        guard let url = configuration.webhookURL, let item,
            let contract = launch.contract.declaration.webhook, let end = launch.scenario?.end
        else { return [] }
        return item.webhooks.map { body in
            let id = "msg_\(RecordID(at: .now))"
            var delivery = Delivery(
                flow: launch.flow, inbox: launch.inbox, contract: contract, after: end,
                method: .post, url: url, body: body)
            delivery.hidesQuery = true
            delivery.retries = Delivery.webhookRetries
            delivery.fields = { [secret = configuration.webhookSecret] moment in
                let signature = secret.map {
                    WebhookSignature.fields(
                        id: id, timestamp: moment.unixMilliseconds / 1000, body: body, secret: $0)
                }
                return [("Content-Type", "application/json")] + (signature ?? [("svix-id", id)])
            }
            return delivery
        }
    }
}

extension ResultStore {
    /// Whether a launch was erased, or has expired.
    ///
    /// No while that can't be looked up, and for one that the database got later than this server.
    fileprivate func hasErased(_ launch: Receipt, _ log: Logger) async -> Bool {
        guard launch.knownSequence != nil else { return false }
        do throws(StoreError) {
            return try await wasErased(launch.id, since: launch.sequence)
        } catch {
            log.report(
                "a launch can't be looked up, whose callbacks are delivered", launch.id, error)
            return false
        }
    }
}

extension Logger {
    /// Reports that the store could not do something with the record `id`.
    fileprivate func report(_ message: Logger.Message, _ id: RecordID, _ reason: StoreError) {
        // The server stops, which ends what the store was asked.
        if Task.isCancelled { return }
        error(message, metadata: ["id": "\(id)", "reason": "\(reason)"])
    }
}
