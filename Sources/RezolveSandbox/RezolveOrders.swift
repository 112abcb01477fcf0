// Carts and orders of the sandbox, in memory.
//
// Invariant: bounded; the oldest are dropped first, and orders that weren't bought before those that
// were, unless they are half of all or fewer. An order holds the lines of its checkout, and removes
// only those from its cart; its delivery is final once it is bought. Nothing survives a restart,
// because these are test orders.

import Synchronization

/// The carts and orders of the sandbox's customers.
final class RezolveOrders: Sendable {
    /// The owner of a cart or order: a partner's customer at one merchant.
    package struct Owner: Sendable, Hashable {
        let partner: String
        let entity: String
        let merchant: String
    }

    /// A product with the chosen options.
    struct Choice: Sendable, Hashable {
        let product: String
        /// The values of its options, by code.
        var options: [String: String] = [:]
        /// The values of its custom options, by their id.
        var customOptions: [String: String] = [:]
    }

    /// A number of pieces of one choice.
    struct Line: Sendable, Equatable {
        let choice: Choice
        var quantity: Int
    }

    struct Cart: Sendable {
        let id: String
        let owner: Owner
        var lines: [Line]

        /// Removes lines; returns false and changes nothing unless all are still there.
        mutating func take(_ taken: [Line]) -> Bool {
            var rest = lines
            for line in taken {
                guard let index = rest.firstIndex(where: { $0.choice == line.choice }),
                    rest[index].quantity >= line.quantity
                else { return false }
                rest[index].quantity -= line.quantity
            }
            lines = rest.filter { $0.quantity > 0 }
            return true
        }
    }

    /// How an order is delivered and paid.
    struct Delivery: Sendable, Equatable {
        var shipping: String?
        var payment: String?
        /// The store of Click & Collect.
        var store: String?
        /// Ids in the customer's profile.
        var address: String?
        var phone: String?
    }

    struct Order: Sendable {
        let id: String
        let owner: Owner
        /// The id of the payment option.
        let option: String
        var delivery: Delivery
        let cart: String?
        let lines: [Line]
        /// In hundredths.
        let price: Int
        /// Seconds since 1970 of the checkout.
        let createdAt: Double
        var isBought = false
    }

    /// The result of a purchase.
    enum Purchase: Sendable {
        case received(Order)
        /// The owner has no such order.
        case unknown
        /// The ordered lines are no longer in the cart: another order bought them, or the cart was
        /// removed.
        case cartGone
    }

    /// Maximum number of carts, and of orders.
    static let mostKept = 1000

    /// Maximum pieces of one choice in a cart.
    static let mostPieces = 999

    /// Maximum lines of a cart.
    static let mostLines = 100

    private struct State {
        var carts: [Cart] = []
        var orders: [Order] = []
        var lastNumber = 1000

        mutating func next() -> String {
            lastNumber += 1
            return String(lastNumber)
        }
    }

    private let state = Mutex(State())

    /// Adds a line to the owner's cart; creates the cart if needed.
    ///
    /// Returns nil and changes nothing if the cart would exceed its limits.
    func add(_ line: Line, for owner: Owner) -> Cart? {
        state.withLock { state in
            let place = state.carts.firstIndex { $0.owner == owner }
            var cart = place.map { state.carts[$0] } ?? Cart(id: "", owner: owner, lines: [])
            if let index = cart.lines.firstIndex(where: { $0.choice == line.choice }) {
                cart.lines[index].quantity += line.quantity
                guard cart.lines[index].quantity <= Self.mostPieces else { return nil }
            } else {
                cart.lines.append(line)
            }
            guard cart.lines.count <= Self.mostLines else { return nil }
            if let place {
                state.carts.remove(at: place)
            } else {
                cart = Cart(id: state.next(), owner: owner, lines: cart.lines)
            }
            state.carts.append(cart)
            if state.carts.count > Self.mostKept { state.carts.removeFirst() }
            return cart
        }
    }

    /// The owner's cart; nil if there is none or it has another id.
    ///
    /// - Parameter id: the cart's or the merchant's, by which clients name their only cart there.
    func cart(_ id: String?, of owner: Owner) -> Cart? {
        state.withLock { state in
            state.carts.first {
                $0.owner == owner && (id == nil || $0.id == id || id == owner.merchant)
            }
        }
    }

    /// A customer's carts at all merchants.
    func carts(of entity: String, of partner: String) -> [Cart] {
        state.withLock { state in
            state.carts.filter { $0.owner.entity == entity && $0.owner.partner == partner }
        }
    }

    /// Removes a cart; false if there is none.
    func remove(_ id: String, of owner: Owner) -> Bool {
        state.withLock { state in
            let count = state.carts.count
            state.carts.removeAll { $0.owner == owner && $0.id == id }
            return state.carts.count < count
        }
    }

    /// Stores an order that isn't bought yet.
    ///
    /// - Parameter cart: the cart that the lines come from; nil for a direct purchase.
    func order(
        _ lines: [Line], from cart: String?, for owner: Owner, by option: String,
        _ delivery: Delivery, price: Int, at now: Double
    ) -> Order {
        state.withLock { state in
            let order = Order(
                id: state.next(), owner: owner, option: option, delivery: delivery, cart: cart,
                lines: lines, price: price, createdAt: now)
            if state.orders.count == Self.mostKept {
                // Half of the places are for checkouts, so that purchases can't take all of them.
                let unbought = state.orders.count { !$0.isBought }
                let dropsBought = unbought <= Self.mostKept / 2
                if let oldest = state.orders.firstIndex(where: { $0.isBought == dropsBought }) {
                    state.orders.remove(at: oldest)
                }
            }
            state.orders.append(order)
            return order
        }
    }

    /// The owner's order, bought or not.
    func order(_ id: String?, of owner: Owner) -> Order? {
        state.withLock { state in state.orders.first { $0.owner == owner && $0.id == id } }
    }

    /// Buys an order, and removes its lines from their cart.
    ///
    /// Buying it again returns the order and changes nothing.
    ///
    /// - Parameter delivery: replaces the checkout's; nil keeps that.
    func buy(_ id: String?, for owner: Owner, _ delivery: Delivery?) -> Purchase {
        state.withLock { state in
            guard
                let index = state.orders.firstIndex(where: { $0.owner == owner && $0.id == id })
            else { return .unknown }
            let order = state.orders[index]
            if let cart = order.cart, !order.isBought {
                guard let place = state.carts.firstIndex(where: { $0.id == cart }),
                    state.carts[place].take(order.lines)
                else { return .cartGone }
                if state.carts[place].lines.isEmpty { state.carts.remove(at: place) }
            }
            if !order.isBought, let delivery { state.orders[index].delivery = delivery }
            state.orders[index].isBought = true
            return .received(state.orders[index])
        }
    }

    /// A customer's purchases, newest first.
    func bought(by entity: String, of partner: String) -> [Order] {
        state.withLock { state in
            state.orders.reversed().filter {
                $0.isBought && $0.owner.entity == entity && $0.owner.partner == partner
            }
        }
    }
}
