// The certificates of an app: the part that is wrong most often in real files.

extension StatementReader {
    /// The fingerprints of an app target; nil if any of them is unusable.
    mutating func readFingerprints(of target: FindingPlace) -> [String]? {
        guard let place = target["sha256_cert_fingerprints"] else {
            add(
                .fingerprintsMissing, .error, target,
                "The target has no certificates; add \"sha256_cert_fingerprints\": [\"…\"] with the "
                    + "SHA-256 fingerprint from Play Console, Setup, App signing.")
            return nil
        }
        guard place.node.kind == .array else {
            add(
                .fingerprintsNotArray, .error, place,
                "\"sha256_cert_fingerprints\" is \(place.node.kind.phrase), and must be an array, "
                    + "even for one; write [\"…\"].")
            return nil
        }
        let elements = place.elements
        if elements.isEmpty {
            add(
                .fingerprintsEmpty, .error, place,
                "\"sha256_cert_fingerprints\" is empty, so it names no app; add the SHA-256 "
                    + "fingerprint from Play Console, Setup, App signing.")
            return nil
        }
        var fingerprints: [String] = []
        var places: [String: String] = [:]
        for element in elements {
            guard let text = element.node.string else {
                add(
                    .fingerprintInvalid, .error, element,
                    "A fingerprint must be a string, and this is \(element.node.kind.phrase); write "
                        + "32 pairs of hexadecimal digits with colons between them.")
                continue
            }
            if let earlier = places[text] {
                add(
                    .fingerprintDuplicate, .info, element,
                    "This fingerprint repeats \(earlier); remove one of them.")
            } else {
                places[text] = element.pointer
            }
            if let fault = Fingerprint.fault(of: text) {
                add(fault.code, fault.severity, element, fault.message)
                if fault.severity == .error { continue }
            }
            fingerprints.append(text)
        }
        return fingerprints.count == elements.count ? fingerprints : nil
    }
}
