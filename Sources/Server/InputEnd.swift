// The end of standard input as a reason to stop: whoever started the server is gone, however that
// came about.

import Foundation
import ServiceLifecycle

/// Runs until standard input ends.
package struct InputEnd: Service {
    package init() {}

    package func run() async throws {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        // Reading may wait for ever, so not on a thread that tasks share; it ends with the process.
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            continuation.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in end {}
        }
    }
}
