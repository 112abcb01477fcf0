// Pauses of long work, so that the threads that serve peers find a processor.

import CLinux

/// Pauses of long work.
package enum Pause {
    /// Lets others have the processor for a moment, if the calling thread is one for long work and
    /// hasn't done so for 0.5 ms.
    ///
    /// To be called between records. Does nothing on other threads, and costs them next to nothing.
    package static func giveWay() { clinux_give_way() }
}
