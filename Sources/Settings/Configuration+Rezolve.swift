// The `rezolve` section of a configuration file: the sandbox's partners and fixtures.

import Yams

extension Configuration {
    /// The settings of the Rezolve sandbox.
    package struct Rezolve: Sendable, Equatable {
        /// A partner of the sandbox; real keys are secrets.
        package struct Partner: Sendable, Equatable {
            package var id: String
            package var name: String
            /// The required value of `x-rezolve-partner-apikey`.
            package var apiKey: String
            /// The key that signs tokens, as text; nil refuses every token of the partner.
            package var authKey: String?
        }

        /// The folder of the fixtures.
        package var fixturesFolder = Configuration.fixturesName

        /// Hosts that serve the vendor's API without a prefix; lower case, without port.
        package var hosts = vendorHosts

        /// The API hosts of the vendor's documents and sample apps.
        static let vendorHosts = Set(
            ["core", "rua", "oauth", "ssp", "engagement", "act", "bff", "api"]
                .map { "\($0).sbx.eu.rezolve.com" } + ["sandbox-api-tw.rzlvtest.co"])

        /// The partners; the first one serves logins without an API key.
        ///
        /// If nil, an open server uses the development partner; other servers have none.
        package var partners: [Partner]?

        /// A partner for development; its keys are public.
        package static let developmentPartner = Partner(
            id: "12", name: "Sandbox Partner", apiKey: "sandbox-api-key",
            authKey: "landfall-sandbox-partner-auth-key-for-development-only-never-a-secret-"
                + "0123456789abcdefghij")
    }

    /// Applies the section.
    mutating func apply(
        rezolve section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        if let folder = try section.text("fixtures") {
            rezolve.fixturesFolder = Self.resolve(folder, section.file)
        }
        let hosts = try section.value("hosts", expected: Self.hostsRule) { node in
            Self.hosts(node)
        }
        if let hosts { rezolve.hosts = Set(hosts) }
        if let sections = try section.sections("partners") {
            var partners: [Rezolve.Partner] = []
            for var section in sections {
                let partner = try Self.partner(&section)
                for other in partners {
                    if other.id == partner.id {
                        throw section.error("id", "different from the earlier partners'")
                    }
                    if other.apiKey == partner.apiKey {
                        throw section.error("api_key", "different from the earlier partners'")
                    }
                }
                partners.append(partner)
            }
            guard !partners.isEmpty else {
                throw section.error("partners", "a list of at least one partner")
            }
            rezolve.partners = partners
        }
        try section.refuseOthers()
    }

    private static func partner(
        _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> Rezolve.Partner {
        // An id may be written as a number.
        let id = try section.value("id", expected: "the partner's id") { node in
            node.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        let name = try section.text("name")
        let apiKey = try section.text("api_key")
        let authKey = try section.text("auth_key")
        try section.refuseOthers()
        guard let id else { throw section.error("id", "given: the partner's id") }
        guard let apiKey else { throw section.error("api_key", "given: the partner's API key") }
        return Rezolve.Partner(
            id: id, name: name ?? "Partner \(id)", apiKey: apiKey, authKey: authKey)
    }
}
