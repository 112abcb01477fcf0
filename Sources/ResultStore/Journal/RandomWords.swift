// The system's random numbers, fetched many at a time: a system call for each id cost more than the
// rest of the id.
//
// Invariant: a number is handed out once, if the generator isn't copied.

import CLinux

/// A random number generator fit for secrets.
struct RandomWords: RandomNumberGenerator {
    private var words = [UInt64](repeating: 0, count: 64)
    /// Numbers that are left in `words`, from its start.
    private var left = 0
    private var system = SystemRandomNumberGenerator()

    /// The next number; one call in 64 asks the system.
    mutating func next() -> UInt64 {
        if left == 0, !fill() { return system.next() }
        left -= 1
        defer { words[left] = 0 }
        return words[left]
    }

    private mutating func fill() -> Bool {
        // SAFETY: the pointer is used within the closure, for the array's own size.
        let result = unsafe words.withUnsafeMutableBytes { bytes in
            unsafe clinux_random(bytes.baseAddress, bytes.count)
        }
        guard result >= 0 else { return false }
        left = words.count
        return true
    }
}
