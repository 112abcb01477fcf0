// Warns of swapped latitude and longitude, which some vendors' own samples have.
// Left out: pairs that could be either; only a latitude beyond a pole shows the mistake.

import JSON

extension Findings {
    private static let names = [("latitude", "longitude"), ("lat", "lng"), ("lat", "lon")]

    /// Warns of each object in a decoded value whose latitude is outside −90 to 90 degrees while its
    /// longitude is inside.
    ///
    /// O(length).
    mutating func addSwappedCoordinates(in document: JSONDocument) {
        guard document.tape.contains(where: { Self.mayBeLatitude($0, document.bytes) }) else {
            return
        }
        for index in document.tape.indices {
            guard case .object = document.tape[index].tag else { continue }
            let object = document.node(at: index)
            for (first, second) in Self.names {
                guard let latitude = object[first], let north = Self.degrees(latitude),
                    let east = object[second].flatMap(Self.degrees),
                    abs(north) > 90, abs(north) <= 180, abs(east) <= 90
                else { continue }
                add(
                    .warning, .model, "swapped_coordinates", pointer: latitude.pointer,
                    expected: "\(first): -90 to 90", found: Payload.description(of: latitude),
                    hint: "\(first) and \(second) are probably in each other's place")
            }
        }
    }

    private static func mayBeLatitude(_ entry: TapeEntry, _ bytes: [UInt8]) -> Bool {
        guard case .name = entry.tag, [5, 10].contains(entry.byteRange.count) else { return false }
        return bytes[entry.byteRange].dropFirst().starts(with: "lat".utf8)
    }

    /// A number, or a text that is one.
    private static func degrees(_ node: JSONNode) -> Double? {
        node.double ?? node.string.flatMap(Double.init)
    }
}
