// The metrics as Prometheus reads them: its text format, version 0.0.4.

extension MetricRegistry {
    /// The media type of `text`.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All families, with their series and these samples.
    ///
    /// O(series).
    package func text(with samples: [MetricSample] = []) -> [UInt8] {
        let samplesByFamily = Dictionary(grouping: samples, by: \.family)
        var text = ""
        for family in families {
            let help = family.help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            text += "# HELP \(family.name) \(help)\n# TYPE \(family.name) \(family.typeName)\n"
            for (labels, series) in series(of: family.name) {
                Self.append(series, family.name, labels, to: &text)
            }
            for sample in samplesByFamily[family.name] ?? [] {
                Self.append(family.name, Self.text(of: sample.labels), sample.value, to: &text)
            }
        }
        return Array(text.utf8)
    }

    private static func append(
        _ series: Series, _ name: String, _ labels: String, to text: inout String
    ) {
        switch series {
        case .counter(let counter): append(name, labels, Double(counter.value), to: &text)
        case .gauge(let gauge): append(name, labels, gauge.value, to: &text)
        case .histogram(let histogram, let scale):
            let (counts, sum) = histogram.values
            var below: Int64 = 0
            for (index, count) in counts.enumerated() {
                below += count
                let bound =
                    index < histogram.bounds.count
                    ? number(Double(histogram.bounds[index]) / scale) : "+Inf"
                let separator = labels.isEmpty ? "" : ","
                append(
                    name + "_bucket", labels + separator + "le=\"\(bound)\"", Double(below),
                    to: &text)
            }
            append(name + "_sum", labels, Double(sum) / scale, to: &text)
            append(name + "_count", labels, Double(below), to: &text)
        }
    }

    private static func append(
        _ name: String, _ labels: String, _ value: Double, to text: inout String
    ) {
        text += labels.isEmpty ? name : "\(name){\(labels)}"
        text += " \(number(value))\n"
    }

    /// A number without the `.0` of whole ones.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// Labels as they stand between the braces.
    static func text(of labels: [(String, String)]) -> String {
        labels.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }.joined(separator: ",")
    }
}
