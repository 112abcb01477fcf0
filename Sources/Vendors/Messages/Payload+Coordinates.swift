// Warns of swapped latitude and longitude, which some vendors' own samples have.
// Left out: pairs that could be either; only a latitude beyond a pole shows the mistake. Parameters
// aren't payloads, so a partner's own `lat` in the callback URL is never compared.

import JSON

extension Payload {
    private static let coordinates = [("latitude", "longitude"), ("lat", "lng"), ("lat", "lon")]

    /// Warns of each object whose latitude is outside −90 to 90 degrees while its longitude is
    /// inside, unless the latitude is reported as out of range.
    ///
    /// O(length) for each warning that is added, and for the search.
    func addSwappedCoordinates(to findings: inout Findings) {
        guard document.tape.contains(where: { Self.mayBeLatitude($0, document.bytes) }) else {
            return
        }
        for index in document.tape.indices {
            guard case .object = document.tape[index].tag else { continue }
            let object = document.node(at: index)
            for (first, second) in Self.coordinates {
                guard let latitude = object[first], let north = Self.degrees(latitude),
                    let east = object[second].flatMap(Self.degrees),
                    abs(north) > 90, abs(north) <= 180, abs(east) <= 90
                else { continue }
                if findings.isFull { return findings.leaveOut(.warning) }
                let pointer = SafePointer.redacted(latitude.pointer)
                let isReported = findings.list.contains {
                    $0.code == "out_of_range" && $0.pointer == pointer
                }
                if isReported { continue }
                add(
                    .warning, "swapped_coordinates", about: latitude,
                    expected: "\(first): -90 to 90",
                    hint: "\(first) and \(second) are probably in each other's place",
                    to: &findings)
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
