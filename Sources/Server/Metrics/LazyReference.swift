// An object that is made when it is first needed. The standard library's `AtomicLazyReference` does
// the same, but can't be inlined: each look at it costs 770 instructions.

import Synchronization

/// An object that is made at its first use, without a lock, and kept as long as this one.
final class LazyReference<Value: AnyObject & Sendable>: Sendable {
    /// The address of the object, which this reference keeps; 0 before its first use.
    private let address = Atomic<UInt>(0)

    deinit {
        if let kept = unsafe Self.object(at: address.load(ordering: .acquiring)) {
            unsafe kept.release()
        }
    }

    /// The object; `make` is called if there is none.
    ///
    /// Two threads may both make one at the same time; then only one of the two is kept and returned.
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

    /// SAFETY: an address is written once, by `value`, of an object that was retained for it, and
    /// `deinit` alone releases that object.
    private static func object(at address: UInt) -> Unmanaged<Value>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }
}
