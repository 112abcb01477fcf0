// Stops the server when standard input ends: the process that started it has exited, for whatever
// reason.

import Foundation
import ServiceLifecycle

/// Runs until standard input ends.
package struct InputEnd: Service {
    package init() {}

    package func run() async throws {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        // Reading may block forever, so it has its own thread, which ends with the process.
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            continuation.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in end {}
        }
    }
}
