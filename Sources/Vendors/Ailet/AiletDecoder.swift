// Decodes Ailet's callback: a visit report as JSON in `result` (vendor document 3.2 and 3.3).
//
// Invariant: an invalid field never loses the others. The report's members are passed on unchanged
// and in order, except `sceneCounter`, which an older vendor document misspelled. Numbers written
// as text or booleans are also in `normalized`, by pointer.

import JSON

/// The decoder of the `ailet-deeplink` contract.
enum AiletDecoder {
    private static let table = NameTable(
        ["result", "report"], usual: 2, openers: ["result", "report"])

    /// If `result` is present, `report` is a parameter of the partner's own.
    private static let resultTable = NameTable(["result"], usual: 1, openers: ["result"])

    /// Decodes a message; of repeated parameters the first is used, as in the vendor's code, and of
    /// repeated members of the report the last, as in the JSON readers of both platforms.
    static func decode(_ message: inout Message) -> Decoding {
        guard var report = payload(&message), report.requireObject(&message.findings) else {
            return Decoding(
                contract: .ailetDeeplink, outcome: nil, value: nil, findings: message.findings)
        }
        report.keepMembers(.last, &message.findings)
        let root = report.document.root
        let status = root["status"]?.string.map(AiletStatus.init(named:))
        var json = JSONWriter(ofDocument: report.document.bytes.count * 5 / 4 + 256)
        json.beginObject()
        let names = write(report, to: &json, findings: &message.findings)
        if let code = status?.code, !names.contains("status_code") {
            json.member("status_code", code)
        }
        if !names.contains("visit_id"), let visit = root["report"]?["result"]?["visit_id"],
            visit.kind == .string
        {
            json.key("visit_id")
            json.value(visit)
        }
        var check = SchemaCheck(.visitReport, report.document)
        check.check(root)
        check.report(report, &message.findings)
        Self.compare(report, status, &message.findings)
        report.addSwappedCoordinates(to: &message.findings)
        if !names.contains("normalized") { check.writeNormalized(to: &json) }
        writeParameters(of: &message, and: report, unless: names, to: &json)
        json.endObject()
        return Decoding(
            contract: .ailetDeeplink, outcome: status?.outcome, value: json,
            findings: message.findings)
    }

    /// Warns of members that contradict each other.
    private static func compare(
        _ report: Payload, _ status: AiletStatus?, _ findings: inout Findings
    ) {
        let root = report.document.root
        let counter = root["photosCounter"]
        let count = counter?.int
        let photos = root["report"]?["photos"].flatMap { $0.kind == .object ? $0 : nil }
        let found = photos?.members.reduce(0) { count, _ in count + 1 }
        let present = (count ?? 0) > 0 ? counter : (found ?? 0) > 0 ? photos : nil
        if status?.outcome == .empty, let present {
            report.add(
                .warning, "inconsistent_report", about: present,
                expected: "no photos, because the status says that nothing was reported",
                to: &findings)
        }
        // Until a report is finished, photos may be missing from it.
        guard status?.outcome == .completed, let counter, let count, let found, found != count
        else { return }
        // Counters of a task leave out the photos of others (3.2).
        let isOfTask = root["task_id"]?.string?.isEmpty == false
        report.add(
            isOfTask && found > count ? .info : .warning, "inconsistent_report", about: counter,
            expected: "photosCounter: \(found), as many as the report has photos",
            to: &findings)
    }

    /// Finds the report: in `result`, in `report`, or as the body itself.
    private static func payload(_ message: inout Message) -> Payload? {
        let posted = message.body.flatMap { isReport($0.document.root) ? $0 : nil }
        if posted == nil { message.adoptBodyMembers() }
        message.settle(message.has("result") ? resultTable : table, keeping: .first)
        if let result = message.parameter("result") {
            posted?.addDuplicate(of: "result", to: &message.findings)
            return Payload(message.value(of: result), findings: &message.findings)
        }
        if let report = message.parameter("report") {
            message.findings.add(
                .warning, report.containerLayer, "misspelled_parameter",
                in: report.part, at: report.offset, expected: "result", found: "report",
                hint: "older vendor documents call the parameter report; apps send result")
            posted?.addDuplicate(of: "report", to: &message.findings)
            return Payload(message.value(of: report), findings: &message.findings)
        }
        if posted == nil, !message.explainMissing(table.names) {
            message.findings.addMissingPayload(
                "result", hint: "the report is JSON text in result, or the JSON body itself")
        }
        return posted
    }

    /// Whether a JSON body is the report itself rather than an object of parameters.
    private static func isReport(_ root: JSONNode) -> Bool {
        guard root["result"] == nil else { return false }
        if root["status"] != nil { return true }
        guard let report = root["report"] else { return false }
        return report.kind == .object && report["status"] == nil
    }

    /// Writes the report's members and returns their names.
    private static func write(
        _ report: Payload, to json: inout JSONWriter, findings: inout Findings
    ) -> Set<String> {
        let root = report.document.root
        let hasCounter = root["scenesCounter"] != nil
        var names: Set<String> = []
        for member in root.members {
            var name = member.name.string ?? ""
            if name == "sceneCounter" {
                report.add(
                    .warning, "misspelled_member", about: member.value, expected: "scenesCounter",
                    found: name, hint: "an older vendor document misspells it", to: &findings)
                if !hasCounter { name = "scenesCounter" }
            }
            names.insert(name)
            json.key(name)
            json.value(member.value)
        }
        return names
    }

    /// Writes the parameters next to the report as `parameters`, unless the report has a member of
    /// that name, and all values of repeated ones.
    private static func writeParameters(
        of message: inout Message, and report: Payload, unless names: Set<String>,
        to json: inout JSONWriter
    ) {
        let others = message.others
        for parameter in others {
            message.findings.addUnknownParameter(
                parameter, named: message.name(of: parameter), insteadOf: [])
        }
        if !others.isEmpty, !names.contains("parameters") {
            json.member("parameters", others, of: &message)
        }
        if !names.contains("duplicates") { json.memberOfDuplicates(of: &message, and: report) }
    }
}

extension Schema {
    /// Ailet's callback: the root and the report (3.2 and 3.3).
    fileprivate static let visitReport = Schema(Contract.ailetDeeplink.fields, of: "result")
}
