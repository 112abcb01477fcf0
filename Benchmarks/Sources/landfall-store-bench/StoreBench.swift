// Stores records of one kind in batches of one size, in files or in a PostgreSQL, and prints what that
// took: `landfall-store-bench PLACE BATCH COUNT`. PLACE is a new folder, or the address of a database.
//
// One batch at a time: the next is submitted when the former is durable. Left out: the database's own
// CPU time, which its processes tell.

import Clocks
import Foundation
import JSON
import PostgreSQLStore
import ResultAPI
import ResultStore

@main
struct StoreBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let batch = Int(arguments[2]), let count = Int(arguments[3])
        else {
            FileHandle.standardError.write(
                Data("usage: landfall-store-bench PLACE BATCH COUNT\n".utf8))
            exit(2)
        }
        let place = arguments[1]
        let store =
            DatabaseAddress.isAddress(place)
            ? try ResultStore(database: DatabaseAddress(place), catalog: .all)
            : try ResultStore(folder: place, catalog: .all)
        let began = (moment: Clock.monotonicMicroseconds, cpu: cpuSeconds())
        var number = 0
        while number < count {
            let records = (0..<min(batch, count - number)).map { record(number + $0) }
            number += try await store.append(records).count
        }
        let seconds = Double(Clock.monotonicMicroseconds - began.moment) / 1e6
        // The index has everything when the store is closed.
        await store.close()
        print(
            JSONWriter.text { json in
                json.member("rows", number)
                json.member("seconds", seconds)
                json.member("cpu_seconds", cpuSeconds() - began.cpu)
            })
    }

    /// A Flux callback as a server stores it, about 1.5 kB, with a few fields and words.
    private static func record(_ number: Int) -> NewRecord {
        let size = Double(number % 97) / 100
        let result = """
            {"status":"completed","item":{"id":"item-\(number % 5000)","width":0.6,"height":\(size),\
            "depth":0.35,"barcode":"40123456\(number % 1000)"},"started_at":"2026-03-09T13:02:11Z",\
            "ended_at":"2026-03-09T13:03:47Z"}
            """
        let body = Array(String(repeating: "order=2041&status=completed&", count: 25).utf8)
        let request = RecordRequest(
            method: "POST", scheme: "https", host: "www.yourapp.com",
            target: Array("/callbacks/dimmy/inbox\(number % 20)".utf8), version: "1.1",
            peer: "127.0.0.1:51512",
            fields: [
                (name: Array("Host".utf8)[...], value: Array("www.yourapp.com".utf8)[...]),
                (
                    name: Array("Content-Type".utf8)[...],
                    value: Array("application/x-www-form-urlencoded".utf8)[...]
                ),
            ], body: RecordRequest.Body(body))
        return NewRecord(
            receivedAt: .now, inbox: "inbox\(number % 20)", vendor: "dimmy", contract: "flux",
            outcome: "completed", verdict: "decoded", request: request,
            result: try? JSONDocument(parsing: Array(result.utf8)))
    }

    /// CPU time of this process, of all threads.
    private static func cpuSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
