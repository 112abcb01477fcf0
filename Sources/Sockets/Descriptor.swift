// One owner for each open descriptor: it is closed exactly once, when its owner goes away.

import CLinux

/// An open file descriptor, closed when the value ends.
package struct Descriptor: ~Copyable, Sendable {
    /// The number; valid as long as this value lives.
    let number: Int32

    /// Takes over an open descriptor; nobody else may close it.
    init(adopting number: Int32) {
        self.number = number
    }

    /// Takes over a shim's result, or throws what its negative value stands for.
    init(_ call: StaticString, _ result: Int32) throws(SocketError) {
        guard result >= 0 else { throw SocketError(call, Int(result)) }
        number = result
    }

    deinit {
        _ = clinux_close(number)
    }
}
