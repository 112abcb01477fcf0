// Settings of the program's heap that return freed memory to the system.

import CLinux

/// The heap of the process.
package enum ProgramHeap {
    /// Makes freed large blocks return to the system, and limits the number of heaps.
    ///
    /// Call once, before other threads start.
    package static func bound() { clinux_bound_heap() }
}
