// The client's thread. All transfers of the process run on it, through libcurl's multi interface.
// It starts with the first request, and sleeps while there are no transfers.
//
// Invariant: only this thread uses libcurl's handles; others queue commands and wake it. Each
// transfer ends once: by libcurl, by its time limits or by its task.

import CCurl
import CLinux
import Sockets
import Synchronization

/// Runs transfers.
final class TransferLoop: Sendable {
    /// The only instance.
    static let shared = TransferLoop()

    private enum Command {
        case start(Transfer)
        case resume(Transfer)
        case cancel(Transfer)
    }

    /// Commands from other threads.
    private struct Mailbox {
        var commands: [Command] = []
        /// Nil before the first request.
        var client: ClientHandle?
    }

    /// A transfer that libcurl runs.
    private struct Running {
        let transfer: Transfer
        let handle: TransferHandle
    }

    private let mailbox = Mutex(Mailbox())

    /// Maximum sleep without time limits, in milliseconds.
    private static let longestSleep: Int32 = 3_600_000

    /// Starts a transfer; the first one starts the thread.
    ///
    /// Throws `unavailable`.
    func start(_ transfer: Transfer) throws(ClientError) {
        try mailbox.withLock { mailbox throws(ClientError) in
            guard mailbox.client == nil else { return }
            let client = try ClientHandle()
            try startThread(client)
            mailbox.client = client
        }
        post(.start(transfer))
    }

    /// Continues a transfer that was paused.
    func resume(_ transfer: Transfer) {
        post(.resume(transfer))
    }

    /// Ends a transfer and closes its connection; does nothing if it has ended.
    func cancel(_ transfer: Transfer) {
        transfer.cancel()
        post(.cancel(transfer))
    }

    private func post(_ command: Command) {
        mailbox.withLock { mailbox in
            guard let client = mailbox.client else { return }
            mailbox.commands.append(command)
            client.wake()
        }
    }

    private func startThread(_ client: ClientHandle) throws(ClientError) {
        var thread: UInt64 = 0
        // SAFETY: the loop is retained for its thread, which takes it over and never ends.
        let context = unsafe Unmanaged.passRetained(Start(loop: self, client: client)).toOpaque()
        let result = unsafe clinux_start_thread(
            &thread, "http-client",
            { context in
                guard let context = unsafe context else { return }
                let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                start.loop.run(start.client)
            }, context)
        guard result < 0 else { return }
        unsafe Unmanaged<Start>.fromOpaque(context).release()
        throw .unavailable(reason: systemErrorText(-result))
    }

    /// What the thread starts with.
    private final class Start {
        let loop: TransferLoop
        let client: ClientHandle

        init(loop: TransferLoop, client: ClientHandle) {
            self.loop = loop
            self.client = client
        }
    }

    // MARK: The thread

    private func run(_ client: ClientHandle) {
        var running: [ObjectIdentifier: Running] = [:]
        while true {
            let commands = mailbox.withLock { mailbox in
                defer { mailbox.commands = [] }
                return mailbox.commands
            }
            for command in commands { execute(command, &running, client) }
            let wait = commands.isEmpty ? Self.wait(for: running) : 0
            client.run(waitingFor: wait)
            while let (transfer, outcome, code) = client.takeEnded() {
                let reason = running[ObjectIdentifier(transfer)]?.handle.reason ?? ""
                end(transfer, Transfer.Ending(outcome, errno: code, reason), &running)
            }
            let now = clinux_monotonic_milliseconds()
            for entry in running.values where entry.transfer.deadline ?? .max <= now {
                end(entry.transfer, .timedOut, &running)
            }
        }
    }

    private func execute(
        _ command: Command, _ running: inout [ObjectIdentifier: Running], _ client: ClientHandle
    ) {
        switch command {
        case .start(let transfer):
            guard !transfer.isCancelled else { return transfer.finish(.cancelled) }
            guard let handle = TransferHandle(transfer, on: client) else {
                return transfer.finish(.failed(reason: "libcurl rejected the request"))
            }
            running[ObjectIdentifier(transfer)] = Running(transfer: transfer, handle: handle)
        case .resume(let transfer): running[ObjectIdentifier(transfer)]?.handle.resume()
        case .cancel(let transfer): end(transfer, .cancelled, &running)
        }
    }

    private func end(
        _ transfer: Transfer, _ ending: Transfer.Ending,
        _ running: inout [ObjectIdentifier: Running]
    ) {
        running.removeValue(forKey: ObjectIdentifier(transfer))?.handle.free()
        transfer.finish(ending)
    }

    /// Milliseconds until the first time limit of a transfer; libcurl wakes earlier for its own
    /// timers.
    private static func wait(for running: [ObjectIdentifier: Running]) -> Int32 {
        guard let first = running.values.compactMap(\.transfer.deadline).min() else {
            return longestSleep
        }
        let now = clinux_monotonic_milliseconds()
        return first <= now ? 0 : Int32(clamping: first - now)
    }
}
