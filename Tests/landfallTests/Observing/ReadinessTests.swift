// Which states of store and certificates make a server unready.

import HTTP1
import ResultStore
import Testing

@testable import Server

@Suite struct ReadinessTests {
    private func readiness(
        failure: StoreError? = nil, rebuilding: (Int64, Int64)? = nil, lag: Int = 0,
        indexFailure: StoreError? = nil, isReserveMissing: Bool = false,
        spoolFailure: StoreError? = nil,
        expiries: [(name: String, expiresAt: Int64)] = []
    ) -> Readiness {
        Readiness(
            StoreStatus(
                failure: failure, rebuilding: rebuilding.map { (done: $0.0, of: $0.1) }, lag: lag,
                indexFailure: indexFailure, isReserveMissing: isReserveMissing,
                spoolFailure: spoolFailure),
            expiries: expiries, now: 1000)
    }

    private func failed(_ readiness: Readiness) -> [String] {
        readiness.checks.filter { $0.status == .fail }.map(\.name)
    }

    @Test func aHealthyServerPassesAllChecks() {
        let readiness = readiness(lag: 100, expiries: [("localhost", 1001)])
        #expect(readiness.checks.allSatisfy { $0.status == .pass && $0.detail == nil })
        #expect(readiness.response.status == .ok)
    }

    @Test func aFullDiskIsAboutTheDiskAndNotTheStore() {
        #expect(failed(readiness(failure: .full)) == ["disk"])
        #expect(failed(readiness(isReserveMissing: true)) == ["disk"])
        #expect(failed(readiness(spoolFailure: .full)) == ["disk"])
        #expect(failed(readiness(indexFailure: .index(reason: "disk is full"))) == ["disk"])
    }

    @Test func anUnreadableFileIsAboutTheStoreAndItsPathStaysPrivate() {
        let readiness = readiness(
            failure: .file(path: "/secret/path", operation: "write", reason: "secret reason"))
        #expect(failed(readiness) == ["store"])
        #expect(failed(self.readiness(spoolFailure: .unreadable)) == ["store"])
        #expect(readiness.response.status == .serviceUnavailable)
        let body = String(decoding: readiness.response.body, as: UTF8.self)
        #expect(!body.contains("secret"))
    }

    @Test func anIndexThatIsRebuiltFailsOrIsFarBehindIsNotReady() {
        #expect(failed(readiness(indexFailure: .index(reason: "disk I/O error"))) == ["index"])
        #expect(failed(readiness(rebuilding: (1, 2))) == ["index"])
        #expect(failed(readiness(lag: 100_001)) == ["index"])
    }

    @Test func oneExpiredCertificateWarnsAndAllOfThemFail() {
        let some = readiness(expiries: [("old", 1000), ("new", 2000)])
        #expect(some.isReady)
        let check = some.checks.first { $0.name == "certificates" }
        #expect(check?.status == .warn)
        #expect(check?.detail?.contains("Expired: old.") == true)
        #expect(failed(readiness(expiries: [("old", 1000), ("older", 1)])) == ["certificates"])
    }
}
