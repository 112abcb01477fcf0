// The document at /openapi.json says what the code does: every route with its methods, and every
// name and limit that the code has too. Whether the server answers as described, Tests/api asks.

import Foundation
import HTTP1
import JSON
import ResultStore
import Testing
import Vendors

@testable import LinkHosting
@testable import ResultAPI
@testable import RezolveSandbox
@testable import Server
@testable import landfall

@Suite struct OpenAPITests {
    private let document: JSONNode

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "public/openapi.json")
        document = try JSONDocument(parsing: [UInt8](Data(contentsOf: file))).root
    }

    /// The value at names from the root.
    private func value(_ names: String...) throws -> JSONNode {
        try names.reduce(document) { node, name in
            try #require(node[name], "\(names) has no \(name)")
        }
    }

    private func names(of node: JSONNode) -> Set<String> {
        Set(node.members.compactMap { $0.name.string })
    }

    private func texts(of node: JSONNode?) -> [String] {
        node.map { $0.elements.compactMap(\.string) } ?? []
    }

    /// `GET /a/{}`: parameters have names that only people read.
    private func described() throws -> Set<String> {
        var operations: Set<String> = []
        for path in try value("paths").members {
            let name = try #require(path.name.string)
            let plain = name.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
                .joined(separator: "/")
            for member in names(of: path.value).subtracting(["parameters"]) {
                operations.insert("\(member.uppercased()) /\(plain)")
            }
        }
        return operations
    }

    private func plain(_ pattern: String) -> String {
        pattern.split(separator: "/").map { $0.hasPrefix(":") ? "{}" : $0 }.joined(separator: "/")
    }

    @Test func everyScenarioOfTheSandboxIsNamed() throws {
        let scenario = try value("components", "parameters", "rezolveScenario", "schema")
        #expect(texts(of: scenario["enum"]) == RezolveSandbox.scenarioNames)
    }

    @Test func everyRouteIsDescribedWithItsMethodsAndNothingElseIs() throws {
        var routed: Set<String> = []
        for (pattern, endpoint) in Routes.table {
            for method in endpoint.methods {
                routed.insert("\(method.rawValue) /\(plain(pattern))")
            }
        }
        for (pattern, route) in RezolveRoute.apiTable where route != .call(.unknown) {
            let path = plain(pattern).replacing(/^api\/v.\/partner/, with: "api/{}/partner")
            for method in route.methods where method != .head {
                routed.insert("\(method.rawValue) /emulate/rezolve/\(path)")
            }
        }
        // Every other path is a link; these are the vendor's.
        for path in ["", "/{}/{}/{}", "/{}/{}/{}/{}", "/instant", "/resolve"] {
            routed.insert("GET /emulate/rezolve\(path)")
        }
        let described = try described()
        #expect(routed.subtracting(described) == [], "not described")
        #expect(described.subtracting(routed) == [], "described, but not there")
    }

    @Test func whatIsProtectedAsksForTheTokenAndNothingElseDoes() throws {
        let paths = try value("paths")
        for (pattern, endpoint) in Routes.table {
            let path =
                "/"
                + pattern.replacing("inboxes/:id", with: "inboxes/{inbox}")
                .replacing("vendors/:id", with: "vendors/{vendor}")
                .replacing(/:([a-z]+)/) { "{\($0.output.1)}" }
            let methods = try #require(paths[path], "\(path)")
            for member in methods.members where member.name.string != "parameters" {
                let isOpen = member.value["security"].map { Array($0.elements).isEmpty } ?? false
                #expect(isOpen == (endpoint.protection != .token), "\(path)")
            }
        }
    }

    @Test func everyRouteOfCallbacksHasTheSameResponses() throws {
        let paths = ["", "/{inbox}", "/{inbox}/{flow}"].map { "/callbacks/{vendor}\($0)" }
        var statuses: Set<Set<String>> = []
        for path in paths {
            let get = names(of: try value("paths", path, "get", "responses"))
            let post = names(of: try value("paths", path, "post", "responses"))
            // Lists and repeated requests are for POST alone.
            #expect(post.subtracting(["200", "207", "409"]) == get, "\(path)")
            statuses.formUnion([get, post])
            let text = try value("paths", path, "get", "responses", "422", "description").string
            #expect(text?.contains("Idempotency-Key") == false, "\(path)")
        }
        #expect(statuses.count == 2)
    }

    @Test func headIsDescribedWithTheParametersAndStatusesOfGet() throws {
        for path in try value("paths").members {
            guard let get = path.value["get"], let head = path.value["head"] else { continue }
            let name = path.name.string ?? ""
            // Ranges are for GET alone (RFC 9110 §14.2).
            let expected = parameters(of: get).subtracting(["#/components/parameters/Range"])
            #expect(parameters(of: head) == expected, "\(name)")
            let responses = try [get, head].map { names(of: try #require($0["responses"])) }
            #expect(responses[0].subtracting(["206", "416"]) == responses[1], "\(name)")
        }
    }

    @Test(
        arguments: Routes.table.map(\.pattern).filter {
            $0.hasSuffix("association") || $0.hasSuffix("assetlinks.json")
        })
    func linkFilesAreDescribedWithTheirRanges(pattern: String) throws {
        let responses = try value("paths", "/\(pattern)", "get", "responses")
        #expect(names(of: responses).isSuperset(of: ["206", "406", "416"]))
    }

    private func parameters(of operation: JSONNode) -> Set<String> {
        let parameters = operation["parameters"].map { Array($0.elements) } ?? []
        return Set(parameters.compactMap { ($0["$ref"] ?? $0["name"])?.string })
    }

    @Test func everyProblemMayNameItsTrace() throws {
        for schema in try value("components", "schemas").members {
            guard let name = schema.name.string, name.hasSuffix("Problem") else { continue }
            #expect(schema.value["properties"]?["trace_id"] != nil, "\(name)")
        }
    }

    @Test func everyCheckOfReadinessIsNamed() throws {
        let status = StoreStatus(failure: nil, isDatabase: true)
        let checks = try value("components", "schemas", "Readiness", "properties", "checks")
        let name = checks["items"]?["properties"]?["name"]
        #expect(
            texts(of: name?["enum"])
                == Readiness(status, expiries: [], now: 0).checks.map(\.name))
    }

    @Test(arguments: ["/healthz", "/readyz"])
    func healthChecksAreNotSaidToRefuseAQuery(path: String) throws {
        for method in try value("paths", path).members {
            let responses = try #require(method.value["responses"])
            #expect(!names(of: responses).contains("400"))
        }
    }

    @Test func everyVendorAndWhatIsSaidOfItsMessagesIsNamed() throws {
        let schemas = try value("components", "schemas")
        #expect(texts(of: schemas["Vendor"]?["enum"]) == Vendor.allCases.map(\.rawValue))
        #expect(texts(of: schemas["VendorName"]?["enum"]) == Vendor.names)
        #expect(texts(of: schemas["Outcome"]?["enum"]) == Outcome.allCases.map(\.rawValue))
        #expect(texts(of: schemas["Verdict"]?["enum"]) == Verdict.allCases.map(\.rawValue))
        let record = schemas["Result"]?["properties"]
        #expect(texts(of: record?["contract"]?["enum"]) == Contract.allCases.map(\.rawValue))
        #expect(texts(of: schemas["Kind"]?["enum"]) == RecordKind.allCases.map(\.rawValue))
        let finding = schemas["Diagnostic"]?["properties"]
        #expect(
            texts(of: finding?["layer"]?["enum"]) == Diagnostic.Layer.allCases.map(\.rawValue))
    }

    @Test func everyFieldThatListsShowSorts() throws {
        let pattern = try #require(
            value("components", "parameters", "sort", "schema", "pattern").string)
        let names = try #require(pattern.firstMatch(of: /result\\\.\(([^)]*)\)/)).output.1
        let hidden = FieldCatalog.all.fields.filter(\.isHidden).map(\.name)
        #expect(
            Set(names.split(separator: "|").map(String.init))
                == Set(FieldCatalog.all.names).subtracting(hidden))
    }

    @Test func everyDeclaredFieldMayBeAskedFor() throws {
        let schema = try value("components", "parameters", "result", "schema", "properties")
        #expect(names(of: schema) == Set(FieldCatalog.all.names.map { "result.\($0)" }))
        for condition in Condition.parameterNames {
            _ = try value("components", "parameters", condition)
        }
        let text = try value("info", "description").string ?? ""
        for field in QueryField.own { #expect(text.contains("`\(field.name)`"), "\(field.name)") }
    }

    @Test(arguments: [
        "7d", "-12h", "2026-11-30", "2026-11-30T06:13:00Z", "2026-11-30t06:13:00.25+02:00",
    ])
    func everyFormOfSinceIsDescribed(text: String) throws {
        for path in ["/api/v1/vendors/{vendor}/drift", "/api/v1/flows/report"] {
            let parameters = try value("paths", path, "get", "parameters")
            let since = parameters.elements.first { $0["name"]?.string == "since" }
            #expect(since?["schema"]?["$ref"]?.string == "#/components/schemas/Since")
        }
        let schema = try value("components", "schemas", "Since")
        let pattern = try Regex(try #require(schema["pattern"]?.string))
        #expect(text.wholeMatch(of: pattern) != nil)
        #expect(ResultAPI.condition(since: text, catalog: FieldCatalog.all) != nil)
    }

    @Test func everyFieldThatMayBeSelectedIsAMemberOfResults() throws {
        let members = names(of: try value("components", "schemas", "Result", "properties"))
        let request = names(of: try value("components", "schemas", "StoredRequest", "properties"))
        let schema = try value("components", "parameters", "fields", "schema")
        let pattern = try Regex(schema["pattern"]?.string ?? "")
        for name in members.union(request.map { "request.\($0)" }) {
            #expect(FieldSelection(name) != nil, "\(name)")
            #expect(name.wholeMatch(of: pattern) != nil, "\(name)")
        }
    }

    @Test func limitsAreThoseOfTheCode() throws {
        for name in ["limit", "count"] {
            let maximum = try value("components", "parameters", name, "schema", "maximum").int
            #expect(maximum == ResultStore.pageLimit)
        }
        let bytes = try value("components", "parameters", "q", "schema", "maxLength").int
        #expect(bytes == ResultStore.queryLimits.bytes)
    }

    @Test func everyReferenceHasATarget() throws {
        func check(_ node: JSONNode) throws {
            for member in node.members {
                if member.name.string == "$ref", let text = member.value.string {
                    let found = text.split(separator: "/").dropFirst().reduce(document) {
                        node, name in node?[String(name)]
                    }
                    #expect(found != nil, "\(text)")
                }
                try check(member.value)
            }
            for element in node.elements { try check(element) }
        }
        try check(document)
    }
}
