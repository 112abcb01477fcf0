// Registrations by slot. An id contains the slot's generation. So an event for a closed descriptor
// is dropped, even if its slot and number are in use again.

/// The registrations of one loop.
///
/// All operations are O(1) amortised.
struct RegistrationTable {
    /// The id of the loop's own wake-up descriptor, which has no slot.
    static let wakeupID = UInt64.max

    private(set) var slots: [Registration?] = []
    private var free: [Int] = []
    private var generation: UInt64 = 0

    /// The registration of an event's id; nil if it was removed.
    subscript(id: UInt64) -> Registration? {
        let slot = Int(id & 0xFFFF_FFFF)
        guard slot < slots.count, let registration = slots[slot], registration.id == id else {
            return nil
        }
        return registration
    }

    mutating func insert() -> Registration {
        generation = (generation + 1) & 0x7FFF_FFFF
        let slot = free.popLast() ?? slots.count
        let registration = Registration(id: generation << 32 | UInt64(slot))
        if slot == slots.count {
            slots.append(registration)
        } else {
            slots[slot] = registration
        }
        return registration
    }

    mutating func remove(_ registration: Registration) {
        let slot = Int(registration.id & 0xFFFF_FFFF)
        guard self[registration.id] === registration else { return }
        slots[slot] = nil
        free.append(slot)
    }
}
