// The memory of the process: its heap, which returns freed memory to the system, and the mapped
// pages of its code and constants. Starting touches most of them, serving only few.

import CLinux

/// The heap of the process.
package enum ProgramHeap {
    /// Makes freed large blocks return to the system, and limits the number of heaps.
    ///
    /// Call once, before other threads start.
    package static func bound() { clinux_bound_heap() }

    /// Returns the free pages of all heaps to the system.
    ///
    /// O(free blocks): some milliseconds for hundreds of megabytes, in which other threads may have to
    /// wait for a block.
    package static func trim() { clinux_trim_heap() }

    /// The process's memory in the machine's RAM, in bytes; nil if it can't be known.
    package static var residentBytes: Int64? {
        let bytes = clinux_resident_bytes()
        return bytes < 0 ? nil : bytes
    }
}

/// The code and constants of the program and its libraries in memory.
package enum ProgramText {
    /// Releases the pages that only starting needed; others are mapped again from the page cache on
    /// use.
    ///
    /// The first requests spend some milliseconds on page faults.
    package static func release() { clinux_release_program_text() }
}
