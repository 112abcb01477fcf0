// The mapped pages of the program's own code. Starting touches most of them, serving only few.

import CLinux

/// The program's code in memory.
package enum ProgramText {
    /// Releases the code pages that only starting needed; others are mapped again from the page
    /// cache on use.
    ///
    /// The first requests spend some milliseconds on page faults.
    package static func release() { clinux_release_program_text() }
}
