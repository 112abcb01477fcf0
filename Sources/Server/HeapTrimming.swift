// Returns memory to the system after a rush: malloc keeps the free pages between blocks that are in
// use, so the process would stay as large as it was at its worst moment.

import ServiceLifecycle
import Sockets

/// Trims the heap while the process is large.
package struct HeapTrimming: Service {
    package init() {}

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var schedule = Schedule()
            while (try? await Task.sleep(for: Limits.heapInterval)) != nil {
                guard let bytes = ProgramHeap.residentBytes, schedule.isDue(bytes) else { continue }
                ProgramHeap.trim()
                schedule.noteTrim(ProgramHeap.residentBytes ?? bytes)
            }
        }
    }

    /// Decides when trimming is worth its time.
    struct Schedule {
        /// Bytes after the last trim.
        private var settled: Int64 = 0
        /// Looks since then.
        private var looks = 0

        /// Whether the heap is to be trimmed at a look at the process's memory: when it is large, and
        /// has grown since the last trim or was left alone for a while.
        mutating func isDue(_ bytes: Int64) -> Bool {
            looks += 1
            guard bytes > Limits.untrimmedBytes else { return false }
            return bytes > settled + Limits.heapGrowthBytes || looks >= Limits.heapChecks
        }

        mutating func noteTrim(_ bytes: Int64) {
            settled = bytes
            looks = 0
        }
    }
}
