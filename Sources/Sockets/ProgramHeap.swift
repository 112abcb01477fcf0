// The program's heap: what large blocks leave when they are freed.

import CLinux

/// The heap of the process.
package enum ProgramHeap {
    /// Lets memory of large blocks go back to the system when they are freed, and bounds how many
    /// heaps there are.
    ///
    /// To be called once, before other threads start.
    package static func bound() { clinux_bound_heap() }
}
