// Counts requests. Series are made at their first use, so that a server shows only what it serves.
//
// Invariant: counting takes no lock, allocates nothing once a series exists, and the number of
// series depends on the routes, the vendors, the methods and the statuses of this program only.

import CoreMetrics
import HTTP1
import LinkPatterns
import Telemetry
import Vendors

/// What a request is counted under.
struct RequestLabel: Sendable {
    /// The index of its pattern in `Routes.patterns`; 0 without a route.
    var pattern: UInt16 = 0
    /// The index of its vendor in `vendors`; 0 for a route that belongs to none.
    var vendor: UInt8 = 0

    /// The labels of vendors; the first one is for no vendor, the last one for unknown names.
    static let vendors = [""] + Vendor.allCases.map(\.rawValue) + ["other"]

    private static let indices = Dictionary(
        uniqueKeysWithValues: zip(Vendor.allCases, UInt8(1)...))

    init() {}

    /// The label of requests to an endpoint; without the vendor if that is a part of the path.
    init(pattern: Int, endpoint: Endpoint) {
        self.pattern = UInt16(clamping: pattern)
        switch endpoint {
        case .work(.receiver(let receiver, _)): vendor = Self.index(of: receiver.vendor)
        case .work(.emulate(let contract, _)), .work(.shared(let contract, _)):
            vendor = Self.index(of: contract.vendor)
        case .work(.items): vendor = Self.index(of: .dimmy)
        case .work(.rezolve): vendor = Self.index(of: .rezolve)
        default: break
        }
    }

    /// The label of requests to a route.
    init(of route: Route, _ parameters: Parameters?) {
        self = route.label
        if case .work(.callbacks) = route.endpoint {
            vendor = Self.index(of: parameters?["vendor"].flatMap { Vendor(rawValue: $0) })
        }
    }

    /// The label of the vendor.
    var vendorName: String { Self.vendors[Int(vendor)] }

    /// The index of a vendor, or of `other` for nil.
    private static func index(of vendor: Vendor?) -> UInt8 {
        vendor.flatMap { indices[$0] } ?? UInt8(vendors.count - 1)
    }
}

/// The counters of all routes.
final class RequestCounters: Sendable {
    /// Where the counters of one pattern and vendor are.
    private final class RoutePlace: Sendable {
        let counters = LazyReference<RouteCounters>()
    }

    /// The counters of one pattern and vendor.
    private final class RouteCounters: Sendable {
        let durations: Timer
        /// By `index`.
        let methods: InlineArray<9, LazyReference<MethodCounters>> = InlineArray { _ in
            LazyReference()
        }

        init(_ labels: [(String, String)], _ registry: MetricRegistry) {
            durations = Timer(
                label: MetricName.durations, dimensions: labels, factory: registry)
        }
    }

    /// The counters of one method of a route.
    private final class MethodCounters: Sendable {
        /// By `place`.
        let statuses: InlineArray<96, LazyReference<Counter>> = InlineArray { _ in
            LazyReference()
        }
    }

    private let registry: MetricRegistry
    private let patterns: [String]
    /// By pattern and vendor.
    private let routes: [RoutePlace]

    init(_ patterns: [String], _ registry: MetricRegistry) {
        self.patterns = patterns
        self.registry = registry
        routes = (0..<patterns.count * RequestLabel.vendors.count).map { _ in RoutePlace() }
    }

    /// Counts a response.
    func count(
        _ label: RequestLabel, _ method: Request.Method, _ status: Status, microseconds: UInt64
    ) {
        let pattern = Int(label.pattern) < patterns.count ? Int(label.pattern) : 0
        let place = routes[pattern * RequestLabel.vendors.count + Int(label.vendor)]
        place.counters.withValue {
            RouteCounters(labels(pattern, Int(label.vendor)), registry)
        } _: { route in
            route.durations.recordNanoseconds(Int64(clamping: microseconds) &* 1000)
            route.methods[method.index].withValue {
                MethodCounters()
            } _: { counters in
                counters.statuses[Self.place(of: status)].withValue {
                    Counter(
                        label: MetricName.requests,
                        dimensions: labels(pattern, Int(label.vendor)) + [
                            ("method", method.rawValue), ("status", Self.name(of: status)),
                        ], factory: registry)
                } _: {
                    $0.increment()
                }
            }
        }
    }

    private func labels(_ pattern: Int, _ vendor: Int) -> [(String, String)] {
        [("route", patterns[pattern]), ("vendor", RequestLabel.vendors[vendor])]
    }

    /// The places of a status's class, of 96: 200 to 214, 300 to 314, 400 to 446 and 500 to 514,
    /// and one for the rest of each class.
    private static func places(of status: Status) -> (start: Int, last: Int) {
        switch status.code {
        case ..<300: (0, 15)
        case ..<400: (16, 15)
        case ..<500: (32, 47)
        default: (80, 15)
        }
    }

    private static func place(of status: Status) -> Int {
        let (start, last) = places(of: status)
        return start + min(status.code % 100, last)
    }

    /// The label of a status, such as 503, or 5xx for those that share a place.
    private static func name(of status: Status) -> String {
        status.code % 100 < places(of: status).last
            ? "\(status.code)" : "\(status.code / 100)xx"
    }
}

extension Request.Method {
    /// The position in `allCases`.
    fileprivate var index: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .post: 2
        case .put: 3
        case .delete: 4
        case .patch: 5
        case .options: 6
        case .trace: 7
        case .connect: 8
        }
    }
}
