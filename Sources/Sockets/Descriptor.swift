// Each open descriptor has one owner: it is closed exactly once, when its owner is destroyed.

import CLinux

/// An open file descriptor, closed when the value is destroyed.
struct Descriptor: ~Copyable, Sendable {
    /// The number; valid as long as this value exists.
    let number: Int32

    /// Takes over an open descriptor; no other code may close it.
    init(adopting number: Int32) {
        self.number = number
    }

    /// Takes over a shim's result, or throws the error of a negative one.
    init(_ call: StaticString, _ result: Int32) throws(SocketError) {
        guard result >= 0 else { throw SocketError(call, Int(result)) }
        number = result
    }

    deinit {
        _ = clinux_close(number)
    }
}
