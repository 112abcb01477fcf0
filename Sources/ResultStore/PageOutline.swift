// A page before its lines are read: where they are and how large. A reader that reads it piece by
// piece holds only one piece in memory, however large the page is.

/// The results of a page, from the index or from a subscription.
package struct PageOutline: Sendable {
    private enum Item: Sendable {
        case stored(ResultLocation)
        case held(StoredLine)

        var size: Int {
            switch self {
            case .stored(let location): location.size
            case .held(let line): line.size
            }
        }

        var sequence: Int {
            switch self {
            case .stored(let location): location.sequence
            case .held(let line): line.sequence
            }
        }
    }

    /// A stored result, and its sequence number at first receipt.
    fileprivate struct Arrival {
        let location: ResultLocation
        var number: Int
    }

    private let items: [Item]

    /// The numbers at which the results came, if that is the order of the page; else empty.
    private let arrivalNumbers: [Int]

    /// Where the next page begins; nil for the last page.
    package let next: PageCursor?

    /// The number of results of all pages, a lower bound if counting takes too long; nil if they
    /// weren't counted.
    ///
    /// Results that were acknowledged after the page was looked up may be missing.
    package let total: ResultTotal?

    init(
        locations: some Sequence<ResultLocation>, next: PageCursor?, total: ResultTotal? = nil
    ) {
        items = locations.map { .stored($0) }
        arrivalNumbers = []
        self.next = next
        self.total = total
    }

    /// Makes the page of lines in memory.
    package init(of lines: [StoredLine]) {
        self.init(items: lines.map { .held($0) })
    }

    /// Makes the page of results in the order in which they came.
    fileprivate init(of arrivals: ArraySlice<Arrival>) {
        self.init(
            items: arrivals.map { .stored($0.location) }, arrivalNumbers: arrivals.map(\.number))
    }

    private init(items: [Item], arrivalNumbers: [Int] = []) {
        self.items = items
        self.arrivalNumbers = arrivalNumbers
        next = nil
        total = nil
    }

    /// Number of results.
    package var count: Int { items.count }

    /// Bytes of all lines together.
    ///
    /// O(count).
    package var bytes: Int { items.reduce(0) { $0 + $1.size } }

    /// The number of the first result; nil if the page is empty.
    package var firstSequence: Int? { items.first?.sequence }

    /// The numbers of the results' lines.
    ///
    /// O(count).
    var sequences: [Int] { items.map(\.sequence) }

    /// A result's sequence number at first receipt, on a page of results that came after a number.
    ///
    /// Requires `index < count`.
    package func arrivalNumber(at index: Int) -> Int {
        arrivalNumbers.isEmpty ? items[index].sequence : arrivalNumbers[index]
    }

    /// The number of each stored result's first line, by the number of its line now.
    ///
    /// They differ if it was decoded again.
    ///
    /// O(count).
    package var firstNumbers: [Int: Int] {
        Dictionary(
            parts(0..<count).locations.map {
                ($0.sequence, Place.firstNumber(at: $0.place, of: $0.sequence))
            }, uniquingKeysWith: min)
    }

    /// Stored results, and the numbers that their first lines seem to have.
    fileprivate var arrivals: [Arrival] {
        parts(0..<count).locations.map {
            Arrival(location: $0, number: Place.firstNumber(at: $0.place, of: $0.sequence))
        }
    }

    /// The results of this page, then those of a later one of the same order.
    ///
    /// O(results of both).
    package func appending(_ later: PageOutline) -> PageOutline {
        PageOutline(
            items: items + later.items, arrivalNumbers: arrivalNumbers + later.arrivalNumbers)
    }

    /// The results of two pages, each once, in the order of their numbers.
    ///
    /// O(results of both · log of these).
    package func merged(with other: PageOutline) -> PageOutline {
        let known = Set(items.map(\.sequence))
        let all = items + other.items.filter { !known.contains($0.sequence) }
        return PageOutline(items: all.sorted { $0.sequence < $1.sequence })
    }

    /// The lines of a range that are in memory, and the locations of the others.
    func parts(_ range: Range<Int>) -> (held: [StoredLine], locations: [ResultLocation]) {
        var (held, locations): ([StoredLine], [ResultLocation]) = ([], [])
        for item in items[range] {
            switch item {
            case .held(let line): held.append(line)
            case .stored(let location): locations.append(location)
            }
        }
        return (held, locations)
    }

    /// The results from `start` whose lines have up to `limit` bytes together, at least one result,
    /// and the bytes of these lines.
    ///
    /// Requires `start < count`.
    package func piece(from start: Int, upTo limit: Int) -> (range: Range<Int>, bytes: Int) {
        var bytes = items[start].size
        var end = start + 1
        while end < count, bytes + items[end].size <= limit {
            bytes += items[end].size
            end += 1
        }
        return (start..<end, bytes)
    }

    /// A hash that changes with the results on the page and with their versions.
    ///
    /// Not resistant to deliberate collisions. O(count).
    package var fingerprint: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for location in parts(0..<count).locations {
            let offset = location.inFiles?.offset ?? location.place
            for number in [location.sequence, location.size, Int(offset)] {
                hash = (hash ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01b3
            }
        }
        return hash
    }
}

extension ResultStore {
    /// Maximum bytes of lines on a page; a single larger result is a page of its own.
    package static let pageBytes = Limits.pageBytes

    /// Where the results of a page are; includes everything that was acknowledged before this call.
    ///
    /// - Parameters:
    ///   - cursor: from an earlier page of an equal query; nil for the first page.
    ///   - limit: 1 to `pageLimit`.
    ///   - bytes: size of all lines together after which the page ends.
    ///   - counts: whether the results of all pages are counted.
    package func outline(
        of query: ResultQuery, after cursor: PageCursor? = nil, limit: Int,
        bytes: Int = pageBytes, counts: Bool = false
    ) async throws(StoreError) -> PageOutline {
        let locations: [ResultLocation]
        var total: ResultTotal?
        if counts {
            (locations, total) = try await storage.countedLocations(
                of: query, after: cursor, limit: limit + 1)
        } else {
            locations = try await storage.locations(of: query, after: cursor, limit: limit + 1)
        }
        // The limit of counting may be lower than that of a page.
        if let counted = total, counted.count < min(locations.count, limit) {
            total = ResultTotal(count: min(locations.count, limit), isExact: false)
        }
        let candidates = PageOutline(locations: locations.prefix(limit), next: nil, total: total)
        guard candidates.count > 0 else { return candidates }
        let shown = locations[candidates.piece(from: 0, upTo: bytes).range]
        let next =
            shown.count < locations.count
            ? shown.last.map {
                PageCursor(place: $0.place, sequence: $0.sequence, value: $0.value, of: query)
            } : nil
        return PageOutline(locations: shown, next: next, total: total)
    }

    /// The first results that came after a number, in the order in which they came.
    ///
    /// Results that came before and were decoded again since have later lines, but don't count. A
    /// result that came after the number and was decoded again is included only if its new line is
    /// among the `pageLimit` matches that follow when the page is full; searching all of them would
    /// take too long. O(results with later lines) if many were decoded again.
    ///
    /// - Parameters:
    ///   - through: the last number that a line may have.
    ///   - limit: 1 to `pageLimit`.
    package func outline(
        of condition: Condition, cameAfter number: Int, through last: Int, limit: Int
    ) async throws(StoreError) -> PageOutline {
        let query = ResultQuery(
            .all([
                .compare(.seq, .greater, .integer(number)),
                .compare(.seq, .lessOrEqual, .integer(last)), condition,
            ]), by: .seq, isDescending: false)
        var page = try await outline(of: query, limit: limit, bytes: .max)
        var found = try await arrivals(of: page, after: number)
        var isLastPage = false
        while !isLastPage, let next = page.next {
            // The page after enough may have some that came before those and were decoded again.
            isLastPage = found.count >= limit
            page = try await outline(of: query, after: next, limit: Self.pageLimit, bytes: .max)
            found += try await arrivals(of: page, after: number)
        }
        return PageOutline(of: found.sorted { $0.number < $1.number }.prefix(limit))
    }

    /// The results of a page that came after a number.
    private func arrivals(
        of page: PageOutline, after number: Int
    ) async throws(StoreError) -> [PageOutline.Arrival] {
        var arrivals = page.arrivals
        for index in arrivals.indices
        where arrivals[index].number < arrivals[index].location.sequence {
            // The record decides: a place that another one had taken gives too low a number.
            if try await !storage.isDecodedAgain(arrivals[index].location) {
                arrivals[index].number = arrivals[index].location.sequence
            }
        }
        return arrivals.filter { $0.number > number }
    }

    /// Where one result is; nil if the id is unknown.
    package func outline(of id: RecordID) async throws(StoreError) -> PageOutline? {
        try await storage.location(of: id).map { PageOutline(locations: [$0], next: nil) }
    }

    /// Reads lines of a page.
    ///
    /// Lines that can't be read are in `damage`; lines that were erased after the lookup are
    /// omitted.
    package func lines(
        of outline: PageOutline, _ range: Range<Int>
    ) async throws(StoreError) -> (lines: [StoredLine], damage: [StoreError]) {
        let (held, locations) = outline.parts(range)
        return held.isEmpty ? try await storage.lines(at: locations) : (held, [])
    }

    /// Matching results in the requested order; see `outline`.
    package func page(
        of query: ResultQuery, after cursor: PageCursor? = nil, limit: Int,
        bytes: Int = pageBytes
    ) async throws(StoreError) -> Page {
        let outline = try await outline(of: query, after: cursor, limit: limit, bytes: bytes)
        let (lines, damage) = try await lines(of: outline, 0..<outline.count)
        return Page(lines: lines, next: outline.next, damage: damage)
    }

    /// The queryable facts of the first matching results, without those whose line is damaged.
    ///
    /// - Parameters:
    ///   - limit: 1 to `pageLimit`.
    ///   - bytes: maximum bytes of lines that are read; at least one line is.
    package func facts(
        of query: ResultQuery, limit: Int, bytes: Int
    ) async throws(StoreError) -> [RecordFacts] {
        let outline = try await outline(of: query, limit: limit, bytes: bytes)
        var facts: [RecordFacts] = []
        var start = 0
        while start < outline.count {
            let range = outline.piece(from: start, upTo: Limits.scanBytes).range
            facts += try await lines(of: outline, range).lines.compactMap { self.facts(in: $0) }
            start = range.upperBound
        }
        return facts
    }
}
