// The pages of the program's own code that are mapped: a start touches most of them, serving few.

import CLinux

/// The program's code in memory.
package enum ProgramText {
    /// Lets go of the pages that only starting needed; those that are used come back from the page
    /// cache one by one.
    ///
    /// Costs some milliseconds of page faults in the first requests.
    package static func release() { clinux_release_program_text() }
}
