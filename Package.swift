// swift-tools-version: 6.2
// Landfall's targets. The dependencies written here are the architecture: what must not reach
// something can't import it. `LinkPatterns`, `AppLinks`, `Vendors`, `JSON` and `Text` depend on
// nothing outside this package and build for Apple's platforms too; everything else is Linux only.
import PackageDescription

var strict: [SwiftSetting] = [
    .strictMemorySafety(), .swiftLanguageMode(.v6),
    // A nonisolated async function stays on its caller's executor, so the calls that handle a
    // connection don't switch executors.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
// For `.ci/run`: a change must have no warnings. Other builds go on when a newer compiler warns.
if Context.environment["LANDFALL_WARNINGS_AS_ERRORS"] != nil {
    strict.append(.treatAllWarnings(as: .error))
}

let package = Package(
    name: "landfall",
    products: [
        .executable(name: "landfall", targets: ["landfall"]),
        .library(name: "LinkPatterns", targets: ["LinkPatterns"]),
        .library(name: "AppLinks", targets: ["AppLinks"]),
        .library(name: "Vendors", targets: ["Vendors"]),
        .library(name: "JSON", targets: ["JSON"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C shims: what Swift can't import.
        .target(name: "CCurl"),
        .target(name: "CLinux"),
        .target(
            name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CPostgreSQL"),
        .target(name: "CQRCode", linkerSettings: [.linkedLibrary("qrencode")]),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Time as records and headers write it.
        .target(name: "Clocks", dependencies: ["CLinux"], swiftSettings: strict),

        // Event loop, listeners and their handover, plain and TLS streams, addresses.
        .target(
            name: "Sockets", dependencies: ["CLinux", "COpenSSL", "Clocks", "Text"],
            swiftSettings: strict),
        // Gzip's format, both ways, bounded.
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),
        // The server side of HTTP/1.1.
        .target(
            name: "HTTP1", dependencies: ["Clocks", "Gzip", "Sockets", "Text"],
            swiftSettings: strict),

        // Requests that the program sends, over libcurl.
        .target(
            name: "HTTPClient", dependencies: ["CCurl", "CLinux", "Sockets"],
            swiftSettings: strict),

        // ASCII, hexadecimal, percent-encoding, HTML, hashes, edit distance: once, for everyone.
        .target(name: "Text", swiftSettings: strict),
        // Reads JSON that peers wrote, with positions, and writes JSON in call order.
        .target(name: "JSON", dependencies: ["Text"], swiftSettings: strict),
        // Links as URLs; link patterns and routers.
        .target(name: "LinkPatterns", dependencies: ["Text"], swiftSettings: strict),
        // Link files of Apple and Android: model, decision, findings.
        .target(
            name: "AppLinks", dependencies: ["JSON", "LinkPatterns", "Text"],
            swiftSettings: strict),
        // The vendors' contracts: launch links, decoding, emulated apps, redaction, masking, drift.
        .target(
            name: "Vendors", dependencies: ["JSON", "LinkPatterns", "Text"],
            swiftSettings: strict),

        // Files and folders read as a whole, with errors that name them.
        .target(name: "Files", dependencies: ["CLinux", "Clocks"], swiftSettings: strict),
        // QR codes as pictures and on terminals.
        .target(name: "QRCode", dependencies: ["CQRCode", "Text"], swiftSettings: strict),
        // An authority and certificates for development.
        .target(
            name: "DevelopmentCertificates",
            dependencies: [
                "Files", "Text",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict),

        // Records and their JSON files: append, recover, index, query, wait, erase, verify.
        .target(
            name: "ResultStore",
            dependencies: [
                "CLinux", "CSQLite", "CZlib", "Clocks", "Gzip", "JSON", "Text",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),

        // Records in a PostgreSQL that several servers share: the other store beneath ResultStore.
        .target(
            name: "PostgreSQLStore",
            dependencies: ["CPostgreSQL", "Clocks", "JSON", "ResultStore"],
            swiftSettings: strict),

        // Metrics: kept behind swift-metrics, shown as Prometheus text.
        .target(
            name: "Telemetry",
            dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict),
        // Errors as clients get them (RFC 9457), and reading of parameters and bodies.
        .target(
            name: "Problems", dependencies: ["HTTP1", "JSON", "LinkPatterns", "Text"],
            swiftSettings: strict),
        // The Model Context Protocol: messages, tools, and how results are framed.
        .target(
            name: "Agents",
            dependencies: ["AppLinks", "HTTP1", "JSON", "Problems", "Text", "Vendors"],
            swiftSettings: strict),
        // The configuration: file, environment and defaults.
        .target(
            name: "Settings",
            dependencies: [
                "Files", "HTTP1", "LinkPatterns", "PostgreSQLStore", "ResultStore", "Sockets",
                "Text", "Vendors",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict),
        // Queries about results and their responses, without sockets.
        .target(
            name: "ResultAPI",
            dependencies: [
                "Clocks", "HTTP1", "JSON", "LinkPatterns", "Problems", "ResultStore", "Text",
                "Vendors",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        // Sites and their link files, the page that explains a link, comparisons of decisions.
        .target(
            name: "LinkHosting",
            dependencies: [
                "AppLinks", "Clocks", "Files", "HTTP1", "JSON", "LinkPatterns", "Problems",
                "ResultStore", "Settings", "Text", "Vendors",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // Launches in the vendor's place, deliveries and webhooks.
        .target(
            name: "Emulator",
            dependencies: [
                "Clocks", "Files", "HTTP1", "HTTPClient", "JSON", "LinkPatterns", "Problems",
                "ResultAPI", "ResultStore", "Settings", "Sockets", "Text", "Vendors",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // Checks of a partner's own endpoint, and files of flows.
        .target(
            name: "Certification",
            dependencies: [
                "Clocks", "Emulator", "HTTPClient", "JSON", "LinkPatterns", "ResultAPI",
                "ResultStore", "Settings", "Text", "Vendors",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict),
        // The vendor's side of Rezolve.
        .target(
            name: "RezolveSandbox",
            dependencies: [
                "Clocks", "Files", "HTTP1", "JSON", "LinkPatterns", "Problems", "Settings", "Text",
                "Vendors",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        // Routes, endpoints, access; start and stop of the server.
        .target(
            name: "Server",
            dependencies: [
                "Agents", "AppLinks", "Clocks", "Emulator", "Files", "HTTP1", "JSON", "LinkHosting",
                "LinkPatterns", "Problems", "QRCode", "ResultAPI", "ResultStore", "RezolveSandbox",
                "Settings", "Sockets", "Telemetry", "Text", "Vendors",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // The program's own log: lines on standard error, bounded and never waited for.
        .target(
            name: "ProgramLog",
            dependencies: [
                "Clocks", "JSON", "Settings", "Sockets",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // Checks of an installation, before the server starts and beside it.
        .target(
            name: "InstallationChecks",
            dependencies: [
                "AppLinks", "Clocks", "Files", "Gzip", "HTTP1", "HTTPClient", "JSON",
                "LinkHosting", "LinkPatterns", "PostgreSQLStore", "ResultAPI", "ResultStore",
                "Server", "Settings", "Sockets", "Text",
            ],
            swiftSettings: strict),

        // The program: commands and `main`.
        .executableTarget(
            name: "landfall",
            dependencies: [
                "AppLinks", "Certification", "Clocks", "DevelopmentCertificates", "Emulator",
                "Files", "HTTP1", "HTTPClient", "InstallationChecks", "JSON", "LinkHosting",
                "LinkPatterns", "PostgreSQLStore", "Problems", "ProgramLog", "QRCode", "ResultAPI",
                "ResultStore", "RezolveSandbox", "Server", "Settings", "Sockets", "Text", "Vendors",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // One test target for each target, and what they share: randomness, and the client's side
        // of connections, whose C part includes an internal header of COpenSSL.
        .target(name: "Mutations", path: "Tests/Mutations", swiftSettings: strict),
        .target(
            name: "CTestClient", dependencies: ["COpenSSL"], path: "Tests/CTestClient",
            cSettings: [.headerSearchPath("../../Sources/COpenSSL")]),
        .target(
            name: "TestClient", dependencies: ["CTestClient", "Sockets"], path: "Tests/TestClient",
            swiftSettings: strict),
        .testTarget(name: "ClocksTests", dependencies: ["Clocks"], swiftSettings: strict),
        .testTarget(
            name: "SocketsTests", dependencies: ["Clocks", "Mutations", "Sockets", "TestClient"],
            swiftSettings: strict),
        .testTarget(name: "GzipTests", dependencies: ["Gzip", "Mutations"], swiftSettings: strict),
        .testTarget(
            name: "HTTP1Tests",
            dependencies: [
                "Clocks", "Gzip", "HTTP1", "HTTPClient", "Mutations", "Sockets", "TestClient",
                "Text",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["CLinux", "HTTPClient", "Sockets", "TestClient"],
            swiftSettings: strict),
        .testTarget(name: "TextTests", dependencies: ["Mutations", "Text"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Mutations"], swiftSettings: strict),
        .testTarget(
            name: "LinkPatternsTests", dependencies: ["AppLinks", "LinkPatterns", "Mutations"],
            swiftSettings: strict),
        .testTarget(
            name: "AppLinksTests", dependencies: ["AppLinks", "JSON", "LinkPatterns", "Mutations"],
            swiftSettings: strict),
        .testTarget(
            name: "VendorsTests",
            dependencies: ["JSON", "Mutations", "Text", "Vendors"],
            swiftSettings: strict),
        .testTarget(
            name: "ResultStoreTests",
            dependencies: [
                "CSQLite", "Clocks", "Gzip", "JSON", "Mutations", "PostgreSQLStore", "ResultStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "Telemetry", .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "landfallTests",
            dependencies: [
                "Agents", "AppLinks", "Certification", "Clocks", "DevelopmentCertificates",
                "Emulator", "Files", "Gzip", "HTTP1", "HTTPClient", "JSON", "LinkHosting",
                "LinkPatterns", "Mutations", "Problems", "ProgramLog", "QRCode", "ResultAPI",
                "ResultStore", "RezolveSandbox", "Server", "Settings", "Sockets", "Text",
                "Vendors", "landfall",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ]
)

// What only `make bench` and `make fuzz` build: the server with an endpoint that counts, for a
// small POST, what measures the libraries by themselves, and libFuzzer's loop around the parsers.
if Context.environment["LANDFALL_DEVELOPER_TARGETS"] != nil {
    package.targets += [
        .executableTarget(
            name: "landfall-counter", dependencies: ["HTTP1", "JSON", "LinkPatterns", "Sockets"],
            path: "Benchmarks/Sources/landfall-counter", swiftSettings: strict),
        .executableTarget(
            name: "landfall-library-bench",
            dependencies: ["AppLinks", "JSON", "LinkPatterns", "Vendors"],
            path: "Benchmarks/Sources/landfall-library-bench", swiftSettings: strict),
        .executableTarget(
            name: "landfall-store-bench",
            dependencies: ["Clocks", "JSON", "PostgreSQLStore", "ResultAPI", "ResultStore"],
            path: "Benchmarks/Sources/landfall-store-bench", swiftSettings: strict),
        .executableTarget(
            name: "landfall-fuzz",
            dependencies: [
                "Agents", "AppLinks", "Gzip", "HTTP1", "JSON", "LinkPatterns", "Sockets", "Vendors",
            ],
            path: "Tests/Fuzz", exclude: ["corpus", "dictionaries"], swiftSettings: strict),
    ]
}
