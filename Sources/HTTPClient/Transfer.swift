// One exchange between the calling task and the client's thread: libcurl's callbacks store data
// here, and the task takes it.
//
// Invariant: memory is bounded in both directions. libcurl pauses while `heldBytes` wait for the
// task, and while the task has not supplied the next part of the body.

import CCurl
import CLinux
import Sockets
import Synchronization

/// The state of one exchange.
final class Transfer: Sendable {
    /// What the task must do next.
    enum Event {
        /// Pass the next part of the body to `supply`.
        case wantsBody
        case part(ResponseHead, [UInt8])
        /// The exchange has ended.
        case end(Result<ResponseHead, ClientError>)
    }

    /// What a callback returns to libcurl.
    enum Verdict {
        case proceed
        case pause
        case stop
    }

    private struct State {
        var reader = HeadReader()
        var parts: [[UInt8]] = []
        var heldBytes = 0
        var isReceivingPaused = false

        /// The unsent rest of the body's current part; nil between two parts.
        var body: ArraySlice<UInt8>?
        var hasBodyEnded = false
        var isSendingPaused = false

        var refusedAddress: IPAddress?
        var isConnected = false
        /// Why a callback ended the transfer.
        var failure: ClientError?
        var isCancelled = false
        var result: Result<ResponseHead, ClientError>?

        /// On the monotonic clock, in milliseconds.
        var progressAt: UInt64
        /// When the time for the content ends, on that clock; nil before the head.
        var contentEndsAt: UInt64?
        var waiter: CheckedContinuation<Void, Never>?
    }

    let request: ClientRequest
    let place: RequestPlace
    private let contentMilliseconds: UInt64?
    private let state: Mutex<State>

    /// - Parameter contentMilliseconds: the longest time for the content after the head; nil for no
    ///   limit.
    init(_ request: ClientRequest, to place: RequestPlace, contentMilliseconds: UInt64? = nil) {
        self.request = request
        self.place = place
        self.contentMilliseconds = contentMilliseconds
        state = Mutex(State(progressAt: clinux_monotonic_milliseconds()))
    }

    // MARK: The task's side

    /// The next event; waits for it.
    func next() async -> Event {
        while true {
            let (event, mustResume) = state.withLock { Self.take(&$0) }
            if mustResume { TransferLoop.shared.resume(self) }
            if let event { return event }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let isReady = Self.hasEvent(state)
                    if !isReady { state.waiter = continuation }
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// The head of the response; nil until all of it has come.
    var head: ResponseHead? { state.withLock { $0.reader.head } }

    /// Supplies the next part of the body; nil at its end.
    func supply(_ part: [UInt8]?) {
        state.withLock { state in
            if let part { state.body = part[...] } else { state.hasBodyEnded = true }
            state.isSendingPaused = false
            state.progressAt = clinux_monotonic_milliseconds()
        }
        TransferLoop.shared.resume(self)
    }

    private static func hasEvent(_ state: State) -> Bool {
        !state.parts.isEmpty || state.result != nil || state.isSendingPaused
    }

    private static func take(_ state: inout State) -> (event: Event?, mustResume: Bool) {
        if !state.parts.isEmpty, let head = state.reader.head {
            let part = state.parts.removeFirst()
            state.heldBytes -= part.count
            let mustResume = state.isReceivingPaused && state.parts.isEmpty
            if mustResume {
                state.isReceivingPaused = false
                state.progressAt = clinux_monotonic_milliseconds()
            }
            return (.part(head, part), mustResume)
        }
        if let result = state.result { return (.end(result), false) }
        return (state.isSendingPaused ? .wantsBody : nil, false)
    }

    // MARK: The client's thread

    /// Whether the task was cancelled or has given up.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    /// When the server's time limit expires, on the monotonic clock; nil while the exchange waits
    /// for the task.
    var deadline: UInt64? {
        state.withLock { state in
            if state.isReceivingPaused || state.isSendingPaused && state.reader.head == nil {
                return nil
            }
            let stall = state.progressAt + request.stallMilliseconds
            return min(stall, state.contentEndsAt ?? stall)
        }
    }

    /// The connection, with its TLS, is established.
    func noteConnection() {
        state.withLock { state in
            state.isConnected = true
            state.progressAt = clinux_monotonic_milliseconds()
        }
    }

    /// Whether the policy allows connecting to an address.
    func mayConnect(to address: IPAddress) -> Bool {
        guard let policy = request.mayConnect, !policy(address) else { return true }
        state.withLock { $0.refusedAddress = address }
        return false
    }

    func takeLine(_ line: [UInt8]) -> Verdict {
        state.withLock { state in
            state.progressAt = clinux_monotonic_milliseconds()
            do throws(ClientError) {
                try state.reader.take(line)
                if let contentMilliseconds, state.contentEndsAt == nil, state.reader.head != nil {
                    state.contentEndsAt = state.progressAt + contentMilliseconds
                }
                return .proceed
            } catch {
                state.failure = error
                return .stop
            }
        }
    }

    /// Stores content for the task, unless too much is waiting.
    func takeContent(_ content: @autoclosure () -> [UInt8]) -> Verdict {
        let (verdict, waiter) = state.withLock {
            state -> (Verdict, CheckedContinuation<Void, Never>?) in
            state.progressAt = clinux_monotonic_milliseconds()
            guard state.heldBytes < Limits.heldBytes else {
                state.isReceivingPaused = true
                return (.pause, nil)
            }
            let part = content()
            if !part.isEmpty {
                state.parts.append(part)
                state.heldBytes += part.count
                state.reader.hasContent = true
            }
            return (.proceed, state.waiter.take())
        }
        waiter?.resume()
        return verdict
    }

    /// The next octets of the body, up to `capacity`; empty at its end, nil if the task has to
    /// supply some first.
    func nextBody(upTo capacity: Int) -> ArraySlice<UInt8>? {
        let (octets, waiter) = state.withLock {
            state -> (ArraySlice<UInt8>?, CheckedContinuation<Void, Never>?) in
            state.progressAt = clinux_monotonic_milliseconds()
            if let body = state.body, !body.isEmpty {
                state.body = body.dropFirst(capacity)
                return (body.prefix(capacity), nil)
            }
            if state.hasBodyEnded { return ([], nil) }
            state.isSendingPaused = true
            return (nil, state.waiter.take())
        }
        waiter?.resume()
        return octets
    }

    /// Ends the exchange for its task, whatever has arrived before.
    func finish(_ ending: Ending) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.result == nil { state.result = Self.result(of: ending, state, place) }
            return state.waiter.take()
        }
        waiter?.resume()
    }
}

extension Transfer {
    /// How an exchange ended, according to libcurl or its loop.
    enum Ending {
        case done
        case cancelled
        case timedOut
        case nameUnknown
        /// The errno.
        case unreachable(Int32)
        case tlsFailed(reason: String)
        case noResponse
        case brokenOff
        case malformed
        case failed(reason: String)

        /// - Parameter reason: libcurl's message.
        init(_ outcome: ccurl_outcome, errno: Int32, _ reason: String) {
            switch outcome {
            case ccurl_done: self = .done
            case ccurl_name_unknown: self = .nameUnknown
            case ccurl_unreachable: self = .unreachable(errno)
            case ccurl_timed_out: self = .timedOut
            case ccurl_tls_failed: self = .tlsFailed(reason: reason)
            case ccurl_no_response: self = .noResponse
            case ccurl_broken_off: self = .brokenOff
            case ccurl_malformed: self = .malformed
            default: self = .failed(reason: reason)
            }
        }
    }

    private static func result(
        of ending: Ending, _ state: State, _ place: RequestPlace
    ) -> Result<ResponseHead, ClientError> {
        if let failure = state.failure { return .failure(failure) }
        let authority = place.authority
        switch ending {
        case .done: return state.reader.head.map { .success($0) } ?? .failure(.noResponse)
        case .cancelled: return .failure(.cancelled)
        case .timedOut:
            return .failure(.timedOut(authority: authority, isConnected: state.isConnected))
        case .nameUnknown:
            return .failure(.unreachable(authority: authority, reason: "unknown host name"))
        case .unreachable(let code):
            if let address = state.refusedAddress {
                return .failure(.addressRefused(authority: authority, address: address))
            }
            let reason = code == 0 ? "no connection" : systemErrorText(code)
            return .failure(.unreachable(authority: authority, reason: reason))
        case .tlsFailed(let reason):
            return .failure(.untrusted(authority: authority, reason: reason))
        case .noResponse: return .failure(.noResponse)
        case .brokenOff: return .failure(state.reader.head == nil ? .noResponse : .brokenOff)
        case .malformed: return .failure(.malformed)
        case .failed(let reason):
            return .failure(.unreachable(authority: authority, reason: reason))
        }
    }
}
