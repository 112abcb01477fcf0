// The verification report as the API and the command show it.

import JSON
import ResultStore

extension VerificationReport {
    /// Whether nothing is wrong.
    var isSound: Bool { findings.isEmpty }

    /// The report as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("sound", isSound)
            json.member("files", files)
            json.member("bytes", Int(bytes))
            json.member("records", records)
            json.member("erasures", erasures)
            json.member("erased_lines", erasedLines)
            json.member("superseded_lines", supersededLines)
            json.key("findings")
            Self.write(findings, to: &json)
            json.member("omitted_findings", omittedFindings)
            json.key("notes")
            Self.write(notes, to: &json)
        }
    }

    private static func write(_ findings: [Finding], to json: inout JSONWriter) {
        json.array { json in
            for finding in findings {
                json.object { json in
                    json.member("file", finding.file)
                    json.member("offset", finding.offset.map { Int($0) })
                    json.member("detail", finding.sentence)
                }
            }
        }
    }
}
