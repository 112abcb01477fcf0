// The table of all settings: what `landfall config show` lists and `landfall config init` writes.
//
// Invariant: its keys are those that the sections read; a test compares them.

extension Configuration {
    static let networkSettings: [Setting] = [
        Setting(
            "listen.host",
            "The address to listen on. Beyond loopback, results are shown only with the token.",
            variable: "LANDFALL_HOST"
        ) { .text($0.host) },
        Setting(
            "listen.port", "The port; 0 takes a free one.", variable: "LANDFALL_PORT"
        ) { .number(Int($0.port)) },
        Setting(
            "listen.url", "The URL by which others reach the server, if a proxy is in front of it.",
            example: "https://landfall.example.com", variable: "LANDFALL_PUBLIC_URL"
        ) { $0.reachableURL.map { .text($0) } },
        Setting(
            "listen.unix", "The path of an additional Unix-domain socket.",
            example: "/run/landfall/landfall.sock"
        ) { $0.unixSocket.map { .text($0) } },
        Setting("listen.proxy_protocol", "Whether each connection begins with a PROXY header.") {
            .flag($0.expectsProxyHeader)
        },
        Setting("tls.port", "The port for https.", example: "8443") {
            $0.tls.map { .number(Int($0.port)) }
        },
        Setting(
            "tls.folder", "The certificates: NAME.pem with NAME.key, and NAME.ocsp to staple.",
            example: "tls"
        ) { $0.tls.map { .text($0.folder) } },
        Setting(
            "tls.default", "The certificate for clients that name no host.", example: "localhost"
        ) { $0.tls?.defaultCertificate.map { .text($0) } },
        Setting(
            "tls.redirect",
            "Whether the plain port redirects to https, except for link files and local commands.",
            example: "false"
        ) { $0.tls.map { .flag($0.redirects) } },
        Setting(
            "tls.hsts", "Hosts that browsers visit by https only.",
            example: "[{host: www.yourapp.com, seconds: 31536000, include_subdomains: false}]"
        ) {
            $0.tls.map { tls in
                .mappings(
                    tls.strictHosts.map { host in
                        [
                            .init(name: "host", text: host.host),
                            .init(name: "seconds", text: "\(host.seconds)"),
                            .init(name: "include_subdomains", text: "\(host.includesSubdomains)"),
                        ]
                    })
            }
        },
        Setting(
            "tls.client_certificates",
            "Whether clients need a certificate: none, optional or required.",
            example: "none"
        ) { $0.tls.map { .text($0.clientCertificates.rawValue) } },
        Setting(
            "tls.client_authorities",
            "The authorities (PEM) that client certificates are checked against.",
            example: "clients.pem"
        ) { $0.tls?.clientAuthorities.map { .text($0) } },
        Setting(
            "trusted_proxies",
            "Proxies whose fields about client, scheme and host are trusted: addresses, blocks, unix."
        ) {
            .list($0.trustedProxies.map(\.description) + ($0.trustsUnixPeers ? ["unix"] : []))
        },
    ]

    static let receivingSettings: [Setting] = [
        Setting("data", "The folder that keeps the results.", variable: "LANDFALL_DATA") {
            .text($0.dataFolder)
        },
        Setting("public", "The folder of the web page.", example: "/usr/share/landfall/public") {
            $0.publicFolder.map { .text($0) }
        },
        Setting("sites.folder", "The link files: one folder a domain.") { .text($0.sitesFolder) },
        Setting(
            "sites.default", "The site for hosts that have none.", example: "www.yourapp.com"
        ) { $0.defaultSite.map { .text($0) } },
        Setting("sites.allow_invalid", "Whether link files with errors are served too.") {
            .flag($0.allowsInvalidSites)
        },
        Setting("receivers", "Further places where callbacks arrive.") {
            let answers = $0.answers
            return .mappings(
                $0.receivers.enumerated().map { index, receiver in
                    receiver.members
                        + [
                            answers[index].map { .init(name: "answer", text: $0.summary) }
                        ].compactMap(\.self)
                })
        },
        Setting(
            "privacy", "Whether health and location values are stored as they are (off) or masked."
        ) { .text($0.privacy.rawValue) },
        Setting(
            "privacy_key", "The key of masked values; without it, one is kept in the data folder.",
            variable: "LANDFALL_PRIVACY_KEY", isInFile: false
        ) { $0.privacyKey.map { _ in .hidden } },
        Setting(
            "webhooks.secrets", "The secrets with which Flux signs its webhooks.",
            example: "[whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]",
            variable: "LANDFALL_WEBHOOK_SECRETS"
        ) { $0.webhookSecrets.isEmpty ? nil : .hidden },
    ]

    static let emulationSettings: [Setting] = [
        Setting("flows.lost_after_seconds", "Seconds after which a launch counts as lost.") {
            .number(Int($0.flowPatience.components.seconds))
        },
        Setting(
            "emulator.allowed_hosts", "Hosts that emulated callbacks may lead to.",
            example: "[partner.example.com]"
        ) { $0.emulator.allowedHosts.map { .list($0.sorted()) } },
        Setting(
            "emulator.webhook_url", "Where Flux's webhooks are posted to.",
            example: "https://partner.example.com/hooks/flux"
        ) { $0.emulator.webhookURL.map { _ in .hidden } },
        Setting(
            "emulator.webhook_secret", "The secret with which the emulator signs Flux's webhooks.",
            example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        ) { $0.emulator.webhookSecret.map { _ in .hidden } },
        Setting(
            "dimmy.api_keys", "The keys of Flux's emulated REST interface.",
            example: "[landfall-development-key]"
        ) { $0.dimmyKeys.map { _ in .hidden } },
        Setting(
            "welltory.partners",
            "The partners that the emulated Welltory knows; without this key, it accepts all.",
            example: "[{source: Partner, callbacks: [https://partner.example.com/dds/]}]"
        ) {
            $0.welltoryPartners.map { partners in
                .mappings(
                    partners.map { partner in
                        [
                            .init(name: "source", text: partner.source),
                            .init(name: "callbacks", text: nil, texts: partner.callbacks),
                        ]
                    })
            }
        },
        Setting(
            "forward", "Which callbacks are sent on, and where to.",
            example: "[{name: partner, targets: [{url: https://partner.example.com/hook}]}]"
        ) { $0.forward.isEmpty ? nil : .mappings($0.forward.map(\.members)) },
        Setting("rezolve.fixtures", "The folder of the sandbox's merchants, products and acts.") {
            .text($0.rezolve.fixturesFolder)
        },
        Setting("rezolve.hosts", "Hosts where the sandbox has the vendor's API without a prefix.") {
            .list($0.rezolve.hosts.sorted())
        },
        Setting(
            "rezolve.partners", "The partners whose keys Rezolve's sandbox accepts.",
            example: "[{id: 12, name: Sandbox Partner, api_key: sandbox-api-key}]"
        ) {
            $0.rezolve.partners.map { partners in
                .mappings(
                    partners.map { partner in
                        [
                            .init(name: "id", text: partner.id),
                            .init(name: "name", text: partner.name),
                            .init(name: "api_key", text: nil),
                        ]
                    })
            }
        },
    ]

    static let storeSettings: [Setting] = [
        Setting(
            "results.store",
            "Where results are kept: files, or the address of a PostgreSQL without a password.",
            variable: "LANDFALL_STORE"
        ) { .text($0.database?.text ?? Configuration.storeInFiles) },
        Setting(
            "results.on_outage",
            "Callbacks while the database can't be used: spool keeps them, refuse answers 503."
        ) { .text($0.onOutage.rawValue) },
        Setting("results.segment_bytes", "Bytes after which a day's file gets another part.") {
            .number(Int($0.store.segmentBytes))
        },
        Setting("results.compress", "Whether the files of closed days are compressed.") {
            .flag($0.store.compresses)
        },
        Setting(
            "results.compaction_milliseconds",
            "Milliseconds between an erasure and the rewriting of the files that it concerns."
        ) { .number(Int($0.store.compactionMilliseconds)) },
        Setting("results.retention.days", "Days after which results expire.", example: "90") {
            $0.store.retentionMilliseconds.map { .number(Int($0 / 86_400_000)) }
        },
        Setting(
            "results.retention.bytes", "Maximum bytes of all files together.",
            example: "10737418240"
        ) { $0.store.retentionBytes.map { .number(Int($0)) } },
        Setting(
            "results.retention.inbox_results", "Maximum results of each inbox.", example: "100000"
        ) { $0.store.retentionInboxResults.map { .number($0) } },
    ]

    static let otherSettings: [Setting] =
        [
            Setting("api.allowed_origins", "Sites whose pages may use the API (CORS).") {
                .list($0.allowedOrigins.sorted())
            },
            Setting("mcp", "Whether agents may call the tools at /mcp.") {
                .flag($0.servesAgents)
            },
            limit("callback_body_bytes", "Maximum size of a callback's body.") {
                $0.callbackBodyBytes
            },
            limit(
                "body_memory_bytes",
                "Maximum size of all large bodies that are received at the same time."
            ) {
                $0.http.bodyMemoryBytes
            },
            limit("target_bytes", "Maximum size of a callback's URL.") { $0.http.targetBytes },
            limit("field_section_bytes", "Maximum size of a request's header.") {
                $0.http.fieldSectionBytes
            },
            limit("field_count", "Maximum number of fields in a request's header.") {
                $0.http.fieldCount
            },
            limit("head_milliseconds", "Maximum time for a request's header.") {
                Int($0.http.headMilliseconds)
            },
            limit("idle_milliseconds", "Maximum time between two requests of a connection.") {
                Int($0.http.idleMilliseconds)
            },
            limit("handshake_milliseconds", "Maximum time for a TLS handshake.") {
                Int($0.http.handshakeMilliseconds)
            },
            limit("connections", "Maximum number of connections at the same time.") {
                $0.http.connections
            },
            limit(
                "connections_per_address",
                "Maximum number of connections of one address; if not set, at most half of all."
            ) {
                $0.http.connectionsPerAddress
            },
            limit(
                "stop_milliseconds", "Maximum time for connections to end when the server stops."
            ) {
                Int($0.stopMilliseconds)
            },
            Setting(
                "log.level", "The minimum level of log lines.", variable: "LANDFALL_LOG_LEVEL"
            ) { .text($0.logLevel) },
            Setting(
                "log.format", "The format of log lines: text or json.",
                variable: "LANDFALL_LOG_FORMAT"
            ) { .text($0.logFormat.rawValue) },
            Setting("log.access", "The access log, one line a response: off, text or json.") {
                .text($0.accessLog.rawValue)
            },
            Setting(
                "token",
                "The token that API and page require; LANDFALL_TOKEN keeps it out of this file.",
                example: "at-least-16-characters", variable: "LANDFALL_TOKEN"
            ) { $0.token.map { _ in .hidden } },
            Setting("server_timing", "Whether responses report their processing time.") {
                .flag($0.sendsServerTiming)
            },
        ]

    private static func limit(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Configuration) -> Int
    ) -> Setting {
        Setting("limits.\(name)", meaning) { .number(value($0)) }
    }
}

extension Configuration.Receiver {
    fileprivate var members: [SettingValue.Member] {
        var members: [SettingValue.Member] = [
            .init(name: "host", text: host), .init(name: "path", text: path),
            .init(name: "vendor", text: vendor.rawValue),
        ]
        if let contract { members.append(.init(name: "contract", text: contract.rawValue)) }
        return members + [.init(name: "inbox", text: inbox)]
    }
}
