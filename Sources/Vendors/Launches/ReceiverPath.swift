// The receiver that every host has: `/callbacks/{vendor}[/{inbox}[/{flow}]]`.

/// A path below `/callbacks`, any part of which may be wrong.
package struct ReceiverPath {
    /// The first segment of each such path.
    package static let root = "callbacks"

    /// `/callbacks/{vendor}[/{inbox}[/{flow}]]`; without an inbox there is no flow.
    package static func path(
        vendor: Vendor, inbox: String? = nil, flow: String? = nil
    ) -> String {
        let segments = [root, vendor.rawValue, inbox, flow].compactMap(\.self)
        return "/" + segments.joined(separator: "/")
    }

    /// What follows `root`.
    private let segments: [String]

    /// Takes the segments of a path, without empty ones; nil for a path that begins otherwise.
    package init?(_ segments: [some StringProtocol]) {
        guard segments.first.map({ $0 == Self.root }) == true else { return nil }
        self.segments = segments.dropFirst().map { String($0) }
    }

    /// The segment of the inbox, which may be an invalid name; nil if the path ends before it.
    package var inbox: String? { segments.count >= 2 ? segments[1] : nil }

    /// The id of the flow; nil if absent, invalid or followed by more segments.
    package var flow: String? {
        segments.count == 3 && FlowID.isValid(segments[2].utf8) ? segments[2] : nil
    }

    /// `/callbacks/{vendor}/{inbox}`, with the default inbox if the path has none; nil if the
    /// vendor is unknown or too much follows.
    var withoutFlow: String? {
        guard let vendor = segments.first, Vendor(rawValue: vendor) != nil,
            segments.count <= 2 || flow != nil
        else { return nil }
        return "/\(Self.root)/\(vendor)/\(inbox ?? "default")"
    }
}
