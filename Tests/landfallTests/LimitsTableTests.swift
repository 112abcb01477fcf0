// The table of limits in Documentation/Operations.md has the defaults of the code.

import Agents
import Foundation
import Gzip
import HTTP1
import JSON
import Problems
import ResultStore
import Testing
import Vendors

@testable import Emulator
@testable import LinkHosting
@testable import ResultAPI
@testable import RezolveSandbox
@testable import Server
@testable import enum Server.Limits
@testable import Settings
@testable import Text

@Suite struct LimitsTableTests {
    private func rows() throws -> [Substring] {
        let operations = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/Operations.md")
        return try String(contentsOf: operations, encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("| ") }
    }

    /// Limits, and the beginnings of their rows; those of one row in its order.
    private static let limits: [(row: String, value: Int)] = {
        let http = HTTP1.Limits()
        return [
            ("request target of callbacks", http.targetBytes),
            (
                "request target of callbacks, launch links, Rezolve's links",
                Endpoint.work(.rezolve(.trigger)).targetBytes ?? http.targetBytes
            ),
            ("request target of queries", Endpoint.work(.wait).targetBytes ?? 0),
            ("request target elsewhere", Endpoint.health.targetBytes ?? 0),
            ("segments of a path", Limits.pathSegments),
            ("query parameters that a receiver's pattern", Limits.routedParameters),
            ("bytes of a link that a page explains", LandingPage.explainedBytes),
            ("field lines of a request together", http.fieldSectionBytes),
            ("field lines of a request |", http.fieldCount),
            ("ranges of `Accept`", AcceptedTypes.mostRanges),
            ("body of a callback", Configuration().callbackBodyBytes),
            ("newest webhooks with its id", Limits.comparedWebhooks),
            ("newest webhooks with its id", Limits.maximumBatch),
            ("time for a head", Int(http.headMilliseconds)),
            ("time between requests", Int(http.idleMilliseconds)),
            ("time between two bytes of a body", Int(http.bodyPauseMilliseconds)),
            ("slowest rate of a body", Int(http.bodyBytesPerSecond)),
            ("time between two bytes while memory", Int(http.hurriedMilliseconds)),
            ("slowest rate while memory is short", Int(http.hurriedBytesPerSecond)),
            ("memory of all bodies over", http.smallBytes),
            ("memory of all bodies over", http.bodyMemoryBytes),
            ("memory of other unfinished requests", http.smallMemoryBytes),
            ("memory to read large requests", HTTP1.Limits.workMemoryBytes),
            ("memory of large responses that wait", HTTP1.Limits.finishedMemoryBytes),
            ("time that a large request", Int(HTTP1.Limits.memoryMilliseconds)),
            ("time for which a peer may take nothing", Int(http.writeStallMilliseconds)),
            ("time for a response", Int(http.writeStallMilliseconds)),
            ("time for a response", Int(http.writeBytesPerSecond)),
            ("time after which a query ends", Int(http.absentPeerMilliseconds)),
            ("time for a TLS handshake", Int(http.handshakeMilliseconds)),
            ("time for connections when", Int(Configuration().stopMilliseconds)),
            ("time for the first request when", Int(http.newcomerMilliseconds)),
            ("connections |", http.connections),
            ("connections of one address", http.connectionsPerAddress),
            ("a chunk's size line", http.chunkLineBytes),
            ("inflated to compressed bytes", Gzip.Limits.uncountedBytes),
            ("inflated to compressed bytes", Gzip.Limits.inflationRatio),
            ("ranges of a request", HTTP1.Limits.ranges),
            ("a PROXY header", HTTP1.Limits.proxyHeaderBytes),
            ("results on a page", ResultStore.pageLimit),
            ("results that the total of a list", ResultStore.totalLimit),
            ("bytes of a layer's input or output", Vendors.Limits.maximumLayerBytes),
            ("bytes on each side of a fault", Vendors.Limits.maximumContextBytes),
            ("changes of a link file", Application.listedChanges),
            ("items of the emulator's REST", EmulatedItems.most),
            ("bytes of these items", EmulatedItems.mostBytes),
            ("bytes of such an item", EmulatedItem.mostBytes),
            ("body that searches the emulator's items", EmulatedItems.searchBytes),
            ("form of an emulated app's screen", Application.screenBytes),
            ("stored bytes of the results on a page", ResultStore.pageBytes),
            ("bytes of a query", ResultStore.queryLimits.bytes),
            ("terms of a query", ResultStore.queryLimits.terms),
            ("open parentheses of a query", ResultStore.queryLimits.depth),
            ("words of a record", ResultStore.wordLimits.record),
            ("a word that is searched", ResultStore.wordLimits.word),
            ("messages of a flow", Flow.mostMessages),
            ("flows that a report reads", ResultAPI.mostExaminedFlows),
            ("flows that a report lists", FlowReport.mostExamples),
            ("time by which the id of an unknown flow", OpenFlows.mostMinutesAhead),
            ("time that a client may wait", ResultAPI.longestWaitMinutes),
            ("bytes of results that a wait", ResultAPI.problemBytes),
            ("bytes of earlier results that a wait", ResultAPI.earlierBytes),
            ("time for a reader of the stream", Int(ResultEvents.slowMilliseconds)),
            ("results that wait for a slow reader", ResultEvents.keptResults),
            ("bytes that wait for a slow reader", ResultStore.subscriptionBytes),
            ("a line of an import", NDJSONLines.defaultLineBytes),
            ("a segment", Int(StoreSettings().segmentBytes)),
            ("time to read what a database holds", Limits.metricsMilliseconds),
            ("strays that are kept at once", Limits.strayBurst),
            ("strays that are kept in each second", Limits.straysPerSecond),
            ("strays of one address that are kept at", Limits.strayBurstOfAddress),
            ("strays of one address that are kept in", Limits.straysPerSecondOfAddress),
            ("bytes of strays that are kept at once", Limits.strayBurstBytes),
            ("bytes of strays that are kept in", Limits.strayBytesPerSecond),
            ("addresses that send strays", Limits.strayAddresses),
            ("strays in the store", ResultStore.strayLimits.count),
            ("bytes of strays in the store", ResultStore.strayLimits.bytes),
            ("parameters of a callback", Vendors.Limits.maximumParameters),
            ("diagnostics of a callback", Vendors.Limits.maximumDiagnostics),
            ("findings about the parameters", QueryParameters.mostFindings),
            ("depth of JSON", JSON.Limits.maximumDepth),
            ("depth of an agent's message", Agents.Limits.messageDepth),
            ("bytes of the id of an agent's message", Agents.Limits.idBytes),
            ("bytes of the API's answer", Agents.Limits.answerBytes),
            ("stored callbacks that are being sent", Limits.sendsInFlight),
            ("answers of receivers that are set", Limits.answers),
            ("bytes of the fields and bodies of all", Limits.answerBytes),
            ("answers of receivers that wait", Limits.waitingAnswers),
            ("answers of one receiver that wait", Limits.waitingAnswersOfReceiver),
            ("bytes of usual answers that wait", Limits.waitingAnswerBytes),
            ("bytes of the body of such an answer", ProgrammedAnswer.bodyBytes),
            ("bytes of the fields of such an answer", ProgrammedAnswer.headerBytes),
            ("delay of such an answer", ProgrammedAnswer.mostDelayMilliseconds),
            ("callbacks that wait in memory", ForwardQueue.limits.pending),
            ("dead letters of a target", ForwardQueue.limits.dead),
            ("callbacks that are sent to a target", ForwardQueue.limits.inFlight),
            ("memory to read large callbacks", ForwardQueue.limits.readBytes),
            ("memory to send large callbacks", ForwardQueue.limits.sendBytes),
            ("deliveries of the emulator", DeliveryQueue.places),
            ("bytes of these deliveries", DeliveryQueue.bytes),
            ("deliveries that failed", DeliveryQueue.retryPlaces),
            ("deliveries of one launch", DeliveryQueue.placesPerLaunch),
            ("deliveries that are being sent", DeliveryQueue.inFlight),
            ("customers of Rezolve's sandbox", RezolveSandbox.Limits.customers),
            ("entries of a building block", RezolveSandbox.Limits.entries),
            ("bytes of such an entry", RezolveSandbox.Limits.entryBytes),
            ("carts of all customers", RezolveOrders.mostKept),
            ("lines of such a cart", RezolveOrders.mostLines),
            ("pieces of one choice", RezolveOrders.mostPieces),
            ("orders of all customers", RezolveOrders.mostKept),
            ("entities whose person", RezolvePersons.limit),
        ]
    }()

    @Test func everyLimitHasARowWithItsDefault() throws {
        let rows = try rows()
        for name in Set(Self.limits.map { $0.row }) {
            let values = Self.limits.filter { $0.row == name }.map { $0.value.grouped }
            let row = rows.first { $0.hasPrefix("| " + name) }
            #expect(row.map(Self.numbers) == values, "\(name)")
        }
    }

    /// The numbers of a row's first two cells, the limit and its default.
    private static func numbers(of row: Substring) -> [String] {
        row.split(separator: "|").prefix(2).joined(separator: "|")
            // The second number of a ratio.
            .replacing(" : 1", with: "")
            .matches(of: /[0-9]+(?:,[0-9]{3})*/).map { String($0.output) }
    }
}
