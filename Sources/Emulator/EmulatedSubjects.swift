// What launches at the emulators began, such as Ailet's visits: a later launch that asks about an
// unknown one fails as in the vendor's app, and one about a known one gets the same values. Results
// that a vendor shows on a public page are found here too; so no page shows what others sent.
//
// Invariant: bounded, the oldest is dropped first; in memory only. Left out: values that a person
// edited on the vendor's screen.

import HTTP1
import JSON
import LinkPatterns
import Synchronization
import Text
import Vendors

/// The subjects of all emulated launches.
package final class EmulatedSubjects: Sendable {
    /// What its values follow from.
    struct Origin: Sendable {
        let seed: UInt64
        /// How much it has: `empty` or `huge`, otherwise `completed`.
        let scenario: Scenario
        /// When it began, in seconds since 1970.
        let time: Int64
        /// The URL of its callback, for a public page; nil without a callback, and for a very long URL.
        let callback: String?
    }

    private struct Key: Hashable {
        let contract: Contract
        let id: String
    }

    /// Maximum number of subjects.
    static let most = 4096

    /// Maximum bytes of an id that is remembered.
    private static let idBytes = 512

    /// Maximum bytes of a callback that is remembered.
    private static let callbackBytes = 4096

    private let state = Mutex((origins: [Key: Origin](), order: [Key]()))

    init() {}

    /// What a subject's values follow from; nil if no launch began it.
    subscript(contract: Contract, id: String) -> Origin? {
        state.withLock { $0.origins[Key(contract: contract, id: id)] }
    }

    /// The vendor's public page about an emulated result, or about none.
    package func page(of contract: Contract, _ page: SharedPage, naming id: String?) -> Response {
        let origin = id.flatMap { self[contract, $0] }
        let decoding = origin?.callback.map { url in
            Decoding(of: Callback(target: Array(url.utf8)), from: contract.vendor)
        }
        var response: Response
        if let members = decoding?.document?.root.members {
            let rows = members.filter { ![.object, .array].contains($0.value.kind) }.map {
                member in
                let name = HTML.escaped(member.name.string ?? "")
                let value =
                    member.value.string ?? String(decoding: member.value.text, as: UTF8.self)
                return "<div><dt>\(name)</dt><dd>\(HTML.escaped(value))</dd></div>"
            }
            response = EmulatorPage(title: page.title).response(.ok, "<dl>\(rows.joined())</dl>")
        } else {
            response = EmulatorPage(title: "Nothing is shared here").response(
                .notFound,
                "<p>No result that was emulated since the server started has this "
                    + "\(page.parameter).</p>")
        }
        response.add("Cache-Control", "no-store")
        response.add("Referrer-Policy", "no-referrer")
        return response
    }

    /// Remembers what a planned launch begins, unless the app fails.
    package func remember(_ plan: EmulationPlan) {
        guard plan.opened.refusal == nil, let app = plan.app, let subject = app.subject,
            subject.isNew, let scenario = plan.opened.scenario,
            scenario.name != Scenario.error(code: nil).name
        else { return }
        let contract = plan.opened.contract
        let callback = plan.answers.first?.url
        var id: String? = subject.id
        if let page = contract.sharedPage {
            // A person may have edited it on the vendor's screen.
            id = callback.flatMap { LinkURL($0).query }.flatMap { page.id(in: Array($0.utf8)[...]) }
        }
        guard let id, !id.isEmpty, id.utf8.count <= Self.idBytes else { return }
        let isKept =
            contract.sharedPage != nil && callback?.utf8.count ?? .max <= Self.callbackBytes
        let origin = Origin(
            seed: app.seed, scenario: [.empty, .huge].contains(scenario) ? scenario : .completed,
            time: app.time, callback: isKept ? callback : nil)
        let key = Key(contract: contract, id: id)
        state.withLock { state in
            if state.origins.updateValue(origin, forKey: key) == nil { state.order.append(key) }
            guard state.order.count > Self.most else { return }
            for old in state.order.prefix(Self.most / 4) { state.origins[old] = nil }
            state.order.removeFirst(Self.most / 4)
        }
    }
}

extension SharedPage {
    /// The id of a result in a query; nil if absent.
    ///
    /// Of several, the last: the app appends its own to the query of the callback.
    package func id(in query: ArraySlice<UInt8>) -> String? {
        Link(path: [], query: query)?.query.last { $0.name == parameter }?.value
    }
}
