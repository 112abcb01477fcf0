// Makes an object when it is first needed. The standard library's `AtomicLazyReference` does the
// same, but its `load` isn't inlinable and takes 770 instructions.

import Synchronization

/// Holds an object that is made at its first use, without a lock.
///
/// Not copyable, so that it can be a part of an object in place of one more object.
struct LazyReference<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of the retained object; 0 before the first use.
    private let address = Atomic<UInt>(0)

    deinit {
        if let kept = unsafe Self.object(at: address.load(ordering: .acquiring)) {
            unsafe kept.release()
        }
    }

    /// Calls `body` with the object; the first call makes it with `make`.
    ///
    /// If several threads call it first at the same time, each calls `make`, and all get the same
    /// object. It isn't retained for the call, since this holds it.
    func withValue<Result>(_ make: () -> Value, _ body: (Value) -> Result) -> Result {
        let kept = unsafe Self.object(at: address.load(ordering: .acquiring)) ?? keep(make())
        return unsafe kept._withUnsafeGuaranteedRef(body)
    }

    /// Keeps an object if there is none yet; returns the kept one.
    @inline(never)
    private func keep(_ object: Value) -> Unmanaged<Value> {
        let made = unsafe Unmanaged.passRetained(object)
        let (_, former) = unsafe address.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()),
            ordering: .acquiringAndReleasing)
        guard let kept = unsafe Self.object(at: former) else { return unsafe made }
        unsafe made.release()
        return unsafe kept
    }

    /// SAFETY: `keep` writes the address once, after it has retained the object, and only `deinit`
    /// releases it.
    private static func object(at address: UInt) -> Unmanaged<Value>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }
}
