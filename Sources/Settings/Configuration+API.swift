// The `api` section of a configuration file: other sites that may use the API.

import Yams

extension Configuration {
    /// Applies the section.
    mutating func apply(
        api section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        let expected = "a list of origins such as https://qa.example.com, without a path"
        let origins = try section.value("allowed_origins", expected: expected) { node in
            Self.origins(node)
        }
        if let origins { allowedOrigins = Set(origins) }
        try section.refuseOthers()
    }

    /// Each is a scheme and an authority, as browsers write origins (RFC 6454 §6.2).
    private static func origins(_ node: Node) -> [String]? {
        guard let nodes = node.sequence else { return nil }
        var origins: [String] = []
        for node in nodes {
            guard let origin = node.string, origin == origin.lowercased(),
                let separator = origin.range(of: "://"), separator.lowerBound > origin.startIndex,
                separator.upperBound < origin.endIndex,
                !origin[separator.upperBound...].contains("/")
            else { return nil }
            origins.append(origin)
        }
        return origins
    }
}
