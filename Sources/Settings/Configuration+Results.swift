// The `results` section of a configuration file: where results are kept, size of segments, and
// retention.

import PostgreSQLStore

extension Configuration {
    /// What happens to callbacks while the database can't be used.
    package enum OutagePolicy: String, Sendable, CaseIterable {
        /// They are kept in the data folder, answered 202, and stored in the database later.
        case spool
        /// They are refused with 503.
        case refuse
    }

    /// The value of `results.store` for results in files.
    static let storeInFiles = "files"

    private static let storeRule = "files, or \(DatabaseAddress.rule)"

    /// Applies the section.
    mutating func apply(
        results section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        if let text = try section.text("store") {
            if let fault = Self.fault(ofStore: text) { throw section.error("store", fault) }
            setStore(text)
        }
        onOutage = try section.choice("on_outage") ?? onOutage
        if let bytes = try section.number("segment_bytes", in: 1_048_576...1_099_511_627_776) {
            store.segmentBytes = Int64(bytes)
        }
        store.compresses = try section.flag("compress") ?? store.compresses
        if let number = try section.number("compaction_milliseconds", in: 0...86_400_000) {
            store.compactionMilliseconds = UInt64(number)
        }
        if var retention = try section.section("retention") {
            if let days = try retention.number("days", in: 1...36_500) {
                store.retentionMilliseconds = Int64(days) * 86_400_000
            }
            if let bytes = try retention.number("bytes", in: 1_048_576...1_125_899_906_842_624) {
                store.retentionBytes = Int64(bytes)
            }
            if let count = try retention.number("inbox_results", in: 1...1_000_000_000) {
                store.retentionInboxResults = count
            }
            try retention.refuseOthers()
        }
        try section.refuseOthers()
    }

    /// Applies the environment: the address may differ between machines.
    mutating func apply(store environment: [String: String]) throws(ConfigurationError) {
        guard let text = environment["LANDFALL_STORE"] else { return }
        if let fault = text.isEmpty ? Self.storeRule : Self.fault(ofStore: text) {
            throw .badValue(file: "environment", key: "LANDFALL_STORE", expected: fault)
        }
        setStore(text)
    }

    private mutating func setStore(_ text: String) {
        database = text == Self.storeInFiles ? nil : DatabaseAddress(text)
    }

    /// What a text should have been; nil if it says where results are kept.
    private static func fault(ofStore text: String) -> String? {
        if text == storeInFiles { return nil }
        return DatabaseAddress.isAddress(text) ? DatabaseAddress.fault(of: text) : storeRule
    }
}
