// The `limits` section of a configuration file: the resources that one peer may use.

extension Configuration {
    /// Applies the section; every value has a range in which the server is known to work.
    mutating func apply(
        limits section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        try set(&callbackBodyBytes, "callback_body_bytes", 1024...1_073_741_824, &section)
        try set(&http.bodyMemoryBytes, "body_memory_bytes", 1_048_576...1_099_511_627_776, &section)
        try set(&http.targetBytes, "target_bytes", 8192...16_777_216, &section)
        try set(&http.fieldSectionBytes, "field_section_bytes", 1024...1_048_576, &section)
        try set(&http.fieldCount, "field_count", 10...1000, &section)
        try set(&http.headMilliseconds, "head_milliseconds", 100...600_000, &section)
        try set(&http.idleMilliseconds, "idle_milliseconds", 100...3_600_000, &section)
        try set(&http.handshakeMilliseconds, "handshake_milliseconds", 100...600_000, &section)
        try set(&http.connections, "connections", 1...1_000_000, &section)
        try set(
            &http.connectionsPerAddress, "connections_per_address", 1...1_000_000, &section)
        try set(&stopMilliseconds, "stop_milliseconds", 100...3_600_000, &section)
        try section.refuseOthers()
    }

    private func set<Number: FixedWidthInteger>(
        _ value: inout Number, _ key: String, _ range: ClosedRange<Int>,
        _ section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        if let number = try section.number(key, in: range) { value = Number(number) }
    }
}
