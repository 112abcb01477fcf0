// Stands between two ends and lets octets through one at a time, which cuts every message at every
// place.

import Foundation

/// Two descriptors between which octets are moved.
final class Relay {
    private let left: Int32
    private let right: Int32

    /// Takes the descriptors over.
    init(_ left: Int32, _ right: Int32) {
        self.left = left
        self.right = right
    }

    deinit {
        close(left)
        close(right)
    }

    /// Whether anything was moved.
    func moveOneOctetEachWay() -> Bool {
        let moved = [move(from: left, to: right), move(from: right, to: left)]
        return moved.contains(true)
    }

    private func move(from: Int32, to: Int32) -> Bool {
        var octet: UInt8 = 0
        // SAFETY: one octet is read into, and written from, one variable.
        guard unsafe recv(from, &octet, 1, 0) == 1 else { return false }
        return unsafe send(to, &octet, 1, Int32(MSG_NOSIGNAL)) == 1
    }
}
