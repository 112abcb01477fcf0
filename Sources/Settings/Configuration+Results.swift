// The `results` section of a configuration file: size of segments, and retention.

extension Configuration {
    /// Applies the section.
    package mutating func apply(
        results section: inout ConfigurationSection
    ) throws(ConfigurationError) {
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
}
