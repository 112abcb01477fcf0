// Makes an object when it is first needed. The standard library's `AtomicLazyReference` does the
// same, but its `load` isn't inlinable and takes 770 instructions.

import Synchronization

/// Holds an object that is made at its first use, without a lock.
final class LazyReference<Value: AnyObject & Sendable>: Sendable {
    /// The address of the retained object; 0 before the first use.
    private let address = Atomic<UInt>(0)

    deinit {
        if let kept = unsafe Self.object(at: address.load(ordering: .acquiring)) {
            unsafe kept.release()
        }
    }

    /// Returns the object; the first call makes it with `make`.
    ///
    /// If several threads call it first at the same time, each calls `make`, and all return the same
    /// object.
    func value(_ make: () -> Value) -> Value {
        if let kept = unsafe Self.object(at: address.load(ordering: .acquiring)) {
            return unsafe kept.takeUnretainedValue()
        }
        let made = unsafe Unmanaged.passRetained(make())
        let (_, former) = unsafe address.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()),
            ordering: .acquiringAndReleasing)
        guard let kept = unsafe Self.object(at: former) else {
            return unsafe made.takeUnretainedValue()
        }
        unsafe made.release()
        return unsafe kept.takeUnretainedValue()
    }

    /// SAFETY: `value` writes the address once, after it has retained the object, and only `deinit`
    /// releases it.
    private static func object(at address: UInt) -> Unmanaged<Value>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }
}
