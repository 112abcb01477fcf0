// The sandbox's set-up: fixtures and partners, and how it is told what is wrong with them.

import Foundation
import JSON
import LinkPatterns
import Logging
import Testing
import Vendors

@testable import LinkHosting
@testable import Problems
@testable import ResultAPI
@testable import RezolveSandbox
@testable import Server
@testable import Settings

@Suite struct RezolveFixturesTests {
    /// The triggers of the vendor's documents, and the kinds of blocks that its SDK shows.
    @Test func theVendorsExamplesResolveAgainstTheShippedFixtures() throws {
        let fixtures = try RezolveFixtures(folder: Sandbox.folder)
        for ids in ["1/2/3/8", "2/3/13/169", "1/2/3/4", "1/2/3", "12/2/3/4"] {
            let decoding = Decoding(
                of: Callback(target: Array("http://rzlv.co/\(ids)?ad=20".utf8)), from: .rezolve)
            let trigger = try JSONDocument(parsing: try #require(decoding.value)).root
            let goal = RezolveGoal(of: trigger, fixtures, partners: ["12"])
            #expect(goal?.json != nil && goal?.diagnostics.isEmpty == true, "\(ids)")
        }
        let types = fixtures.acts.rows.flatMap {
            $0["act"]?.elements(of: "pageBuildingBlocks") ?? []
        }
        .compactMap { $0["type"]?.string }
        #expect(
            Set(types) == [
                "Header", "Paragraph", "Divider", "Image", "Video", "DateField", "Select",
                "TextField",
            ])
        for product in fixtures.products.rows {
            #expect(product["image"]?.string?.hasPrefix("data:image/png;base64,") == true)
            #expect(product.elements(of: "images").count == 1)
        }
        let option = fixtures.paymentOptions["aa665b54-7166-4a53-a275-9b4f693770dc"]
        let methods = option?.elements(of: "supported_shipping_methods") ?? []
        #expect(
            methods.map { $0["details"]?["store_details"]?["pickup_store"]?.int } == [nil, 2, 1])
    }

    @Test func theVendorsHostsAreServedByDefault() {
        let hosts = Configuration().rezolve.hosts
        for name in ["core", "rua", "oauth", "ssp", "engagement", "act", "bff"] {
            #expect(hosts.contains("\(name).sbx.eu.rezolve.com"))
        }
        #expect(hosts.contains("sandbox-api-tw.rzlvtest.co"))
    }

    @Test func theShippedFixturesBelongTogether() throws {
        let fixtures = try RezolveFixtures(folder: Sandbox.folder)
        #expect(fixtures.products["1041"] != nil && fixtures.acts["act-tasting"] != nil)
        for merchant in fixtures.merchants.rows {
            let id = try #require(FixtureTable.id(merchant["id"]))
            #expect(fixtures.rootCategory(of: id) != nil)
            #expect(
                fixtures.paymentOptions.rows.contains { FixtureTable.id($0["merchant_id"]) == id })
        }
    }

    @Test(arguments: [
        ("merchants", "[{", ":1:3: expected"),
        ("merchants", "{}", ":1:1: the file must be an array"),
        ("merchants", "[1]", ":1:2: each row must be an object with an id"),
        ("merchants", "[{\"id\":252}]", ":1:2: name must be of type string"),
        (
            "products", "[\n{\"id\":1,\"title\":\"t\",\"price\":1,\"merchant_id\":9}]",
            ":2:45: merchant_id is 9, which"
        ),
        (
            "products",
            #"[{"id":1,"title":"t","price":1,"merchant_id":252,"category_id":20}]"#,
            "the category belongs to another merchant"
        ),
        ("products", #"[{"id":1,"title":"t","price":"1"}]"#, "price must be of type number"),
        ("products", #"[{"id":1,"title":"t","price":-5}]"#, ":1:30: price must be a number from 0"),
        ("products", #"[{"id":1,"title":"t","price":0.004}]"#, "at most two decimals"),
        ("products", #"[{"id":1,"title":"t","price":1e300}]"#, "price must be a number from 0"),
        (
            "products", #"[{"id":1,"title":"t","price":1,"custom_options":[{"required":true}]}]"#,
            "needs its option_id"
        ),
        (
            "categories", #"[{"id":7,"name":"a","merchant_id":252,"parent_id":7}]"#,
            "the parents form a cycle"
        ),
        (
            "categories",
            #"[{"id":1,"name":"a","merchant_id":252},{"id":1,"name":"b","merchant_id":252}]"#,
            "the id 1 is repeated"
        ),
        ("engagements", #"[{"id":"e"}]"#, "one of act, product and category"),
        ("engagements", #"[{"id":"e","act":"none"}]"#, "act is none, which"),
        (
            "acts",
            #"[{"id":"a","act":{"isInformationPage":false,"isBuy":false,"pageBuildingBlocks":[{}]}}]"#,
            "each block needs an id of its own"
        ),
        (
            "payment-options",
            #"[{"id":"o","merchant_id":252,"supported_payment_methods":[],"#
                + #""supported_shipping_methods":[{"execute":{"method_code":"storepickup","#
                + #""extension_attributes":[{"code":"pickup_store","value":"2"}]},"#
                + #""details":{"store_details":{"pickup_store":3}}}]}]"#,
            "must be the same store"
        ),
    ])
    func whatIsWrongIsNamedWithItsPlace(file: String, content: String, message: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: URL(filePath: Sandbox.folder), to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(content.utf8).write(to: folder.appending(path: "\(file).json"))
        let error = #expect(throws: FixtureError.self) {
            try RezolveFixtures(folder: folder.path())
        }
        #expect(error?.description.contains("\(file).json") == true)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func aMissingFileIsAProblemAndNoTrap() throws {
        var configuration = Configuration.Rezolve()
        configuration.fixturesFolder = "/nowhere"
        let sandbox = RezolveSandbox(configuration, isOpen: true, log: Logger(label: "test"))
        let problem = #expect(throws: Problem.self) { try sandbox.fixtures() }
        #expect(problem?.kind == "rezolve-fixtures")
        // Clients have nothing to do with this machine's paths.
        #expect(problem?.detail.contains("/nowhere") == false)
    }

    private func rezolve(_ yaml: String) throws(ConfigurationError) -> Configuration.Rezolve {
        var configuration = Configuration()
        try configuration.apply(yaml: yaml, file: "some/landfall.yaml")
        return configuration.rezolve
    }

    @Test func everyKeyOfTheConfigurationIsRead() throws {
        let read = try rezolve(
            """
            rezolve:
              fixtures: goods
              partners:
                - {id: 12, api_key: a, auth_key: k}
                - {id: thirteen, name: Q, api_key: b}
            """)
        #expect(read.fixturesFolder == "some/goods")
        #expect(
            read.partners == [
                .init(id: "12", name: "Partner 12", apiKey: "a", authKey: "k"),
                .init(id: "thirteen", name: "Q", apiKey: "b", authKey: nil),
            ])
    }

    @Test(arguments: [
        "rezolve: {partners: []}", "rezolve: {partners: [{id: 1}]}", "rezolve: {goods: x}",
        "rezolve: {partners: [{api_key: a}]}",
        "rezolve: {partners: [{id: 1, api_key: a}, {id: 1, api_key: b}]}",
        "rezolve: {partners: [{id: 1, api_key: a}, {id: 2, api_key: a}]}",
    ])
    func whatTheConfigurationGetsWrongIsNamed(yaml: String) {
        #expect(throws: ConfigurationError.self) { try rezolve(yaml) }
    }

    @Test(arguments: [true, false])
    func theKeysThatAreShippedCountOnOpenServersOnly(isOpen: Bool) throws {
        let sandbox = RezolveSandbox(
            Configuration.Rezolve(), isOpen: isOpen, log: Logger(label: "test"))
        #expect(
            sandbox.partners == (isOpen ? [Configuration.Rezolve.developmentPartner] : []))
        var request = RezolveRequest()
        request.method = .post
        request.apiKey = Configuration.Rezolve.developmentPartner.apiKey
        guard isOpen else {
            let problem = #expect(throws: Problem.self) { try sandbox.answer(.login, request) }
            #expect(problem?.status == .forbidden)
            #expect(problem?.detail.contains("rezolve.partners") == true)
            return
        }
        #expect(try sandbox.answer(.login, request).status == .badRequest)
    }

    @Test func theShippedFileShowsTheDefaultPartner() throws {
        let file = URL(filePath: Sandbox.folder).deletingLastPathComponent()
            .appending(path: "landfall.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("# rezolve:") })
        let section = lines[start...].prefix { $0.hasPrefix("#") && !$0.hasPrefix("# api") }
            .map { String($0.dropFirst(2)) }.joined(separator: "\n")
        #expect(try rezolve(section).partners == [Configuration.Rezolve.developmentPartner])
    }

    @Test(
        arguments: [
            ("api/v1/authentication/register", .call(.registration)),
            ("v2/credentials/login", .call(.login)), ("v1/submissions", .submissions),
            ("v1/submissions/act/7/answers", .call(.answers)), ("1/2/3", .trigger), ("", .trigger),
            ("1/2/3/4/5", .trigger), ("instant", .trigger), ("api/v1/nothing", .call(.unknown)),
            ("\(customer("v1"))/merchant/252/category/7/product/1", .call(.product)),
            ("\(customer("v4"))/merchant/252/cart/1/options", .call(.cartOptions)),
            ("\(customer("v3"))/order", .call(.orders)),
            ("\(customer("v1"))/order", .call(.unknown)),
            ("\(customer("bananas"))/merchant", .call(.unknown)),
            ("\(customer("v1"))/cart", .call(.customersCarts)),
            ("\(customer("v3"))/merchant/252/cart/252/checkout/o", .call(.checkout)),
            ("\(customer("v1"))/addressbook", .call(.profile(.addressbook))),
            ("\(customer("v1"))/wallet/7", .call(.profileEntry(.wallet))),
            ("\(customer("v1"))/profile/7", .call(.unknown)),
            ("api/v1/search/merchants/12/e", .call(.merchantSearch)),
            ("v1/resolver/400/api/v2/payoffcpm/e", .call(.payoff)),
        ] as [(String, RezolveRoute)])
    func pathsHaveTheirRoutes(path: String, route: RezolveRoute) throws {
        let routes = try Routes(receivers: [], page: PageFiles(folder: "public"))
        #expect(try found("/emulate/rezolve/\(path)", on: "", in: routes) == route)
    }

    private static func customer(_ version: String) -> String {
        "api/\(version)/partner/12/customer/e"
    }

    private func found(_ path: String, on host: String, in routes: Routes) throws -> RezolveRoute? {
        let link = try #require(Link(path: Array(path.utf8)[...]))
        guard case .work(.rezolve(let route))? = routes.route(for: link, on: host)?.route.endpoint
        else { return nil }
        return route
    }

    @Test(
        arguments: [
            ("rzlv.co", "/12/252/7", .trigger), ("rzlv.co", "/shop/252/7", .trigger),
            ("rzlv.co", "/99999999999999999999/1/2", .trigger), ("rzlv.co", "/", .trigger),
            ("rzlv.co", "/instant/x", .trigger), ("rzlv.co", "/index.html", .trigger),
            ("rzlv.co", "/healthz", nil), ("rzlv.co", "/api/v1/nothing", nil),
            ("rzlv.co", "/apple-app-site-association", nil), ("rzlv.co", "/callbacks", nil),
            ("rzlv.co", "/emulate/rezolve/v2/credentials/login", .call(.login)),
            ("instant.eu.rezolve.com", "/resolve", .trigger),
            ("instant.rezolve.com", "/resolve", nil), ("rzlv.co.evil.example", "/1/2/3", nil),
            ("core.partner.example", "/v2/credentials/login", .call(.login)),
            ("core.partner.example", "/api/v1/results", .call(.unknown)),
            ("core.partner.example", "/12/252/7", nil),
            ("another.example", "/v2/credentials/login", nil),
        ] as [(String, String, RezolveRoute?)])
    func hostsHaveTheirRoutes(host: String, path: String, route: RezolveRoute?) throws {
        let routes = try Routes(
            receivers: [], rezolveHosts: ["core.partner.example"], page: PageFiles(folder: "public")
        )
        #expect(try found(path, on: host, in: routes) == route)
    }

    @Test(arguments: ["core.partner.example", "another.example"])
    func recordsAreReadOnEveryHost(host: String) throws {
        let routes = try Routes(
            receivers: [], rezolveHosts: ["core.partner.example"], page: PageFiles(folder: "public")
        )
        let link = try #require(Link(path: Array("/api/v1/results/a-1".utf8)[...]))
        let endpoint = routes.route(for: link, on: host)?.route.endpoint
        guard case .work(.query(.result))? = endpoint else {
            Issue.record("the record of Location has another route")
            return
        }
    }

    @Test func hostsAreReadWithoutPorts() throws {
        #expect(try rezolve("rezolve: {hosts: [Core.Example]}").hosts == ["core.example"])
        #expect(throws: ConfigurationError.self) { try rezolve("rezolve: {hosts: ['a:1']}") }
    }
}
