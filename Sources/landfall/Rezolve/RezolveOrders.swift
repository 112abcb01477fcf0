// Carts and orders of the sandbox, in memory.
//
// Invariant: bounded; the oldest go first. Nothing survives a restart: these are rehearsals.

import Synchronization

/// What customers of the sandbox have put into carts and ordered.
final class RezolveOrders: Sendable {
    /// Whose something is: the partner's customer, at one merchant.
    struct Owner: Sendable, Hashable {
        let partner: String
        let entity: String
        let merchant: String
    }

    /// So many of one product.
    struct Line: Sendable, Equatable {
        let product: String
        var quantity: Int
    }

    struct Cart: Sendable {
        let id: String
        let owner: Owner
        var lines: [Line]
    }

    struct Order: Sendable {
        let id: String
        let owner: Owner
        let cart: String?
        /// In hundredths.
        let price: Int
        /// Seconds since 1970 of the checkout.
        let createdAt: Double
        var isBought = false
    }

    /// Carts that are kept, and orders.
    static let mostKept = 1000

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

    /// Puts a product into the owner's cart, a new one where there is none.
    ///
    /// - Parameter limit: pieces of one product that a cart may hold; more stay at it.
    func add(_ line: Line, limit: Int, for owner: Owner) -> Cart {
        state.withLock { state in
            var cart = Cart(id: "", owner: owner, lines: [])
            if let index = state.carts.firstIndex(where: { $0.owner == owner }) {
                cart = state.carts.remove(at: index)
            } else {
                cart = Cart(id: state.next(), owner: owner, lines: [])
            }
            if let index = cart.lines.firstIndex(where: { $0.product == line.product }) {
                cart.lines[index].quantity = min(limit, cart.lines[index].quantity + line.quantity)
            } else {
                cart.lines.append(line)
            }
            state.carts.append(cart)
            if state.carts.count > Self.mostKept { state.carts.removeFirst() }
            return cart
        }
    }

    /// The owner's cart; nil without one, or when it has another id.
    func cart(_ id: String?, of owner: Owner) -> Cart? {
        state.withLock { state in
            state.carts.first { $0.owner == owner && (id == nil || $0.id == id) }
        }
    }

    /// Removes a cart; false when there is none.
    func remove(_ id: String, of owner: Owner) -> Bool {
        state.withLock { state in
            let count = state.carts.count
            state.carts.removeAll { $0.owner == owner && $0.id == id }
            return state.carts.count < count
        }
    }

    /// Keeps an order that is not bought yet.
    func order(for owner: Owner, cart: String?, price: Int, at now: Double) -> Order {
        state.withLock { state in
            let order = Order(
                id: state.next(), owner: owner, cart: cart, price: price, createdAt: now)
            state.orders.append(order)
            if state.orders.count > Self.mostKept { state.orders.removeFirst() }
            return order
        }
    }

    /// Buys an order, again or for the first time, and empties its cart; nil when there is none.
    func buy(_ id: String?, for owner: Owner) -> Order? {
        state.withLock { state in
            guard
                let index = state.orders.firstIndex(where: { $0.owner == owner && $0.id == id })
            else { return nil }
            state.orders[index].isBought = true
            if let cart = state.orders[index].cart { state.carts.removeAll { $0.id == cart } }
            return state.orders[index]
        }
    }

    /// What a customer has bought, the newest first.
    func bought(by entity: String, of partner: String) -> [Order] {
        state.withLock { state in
            state.orders.reversed().filter {
                $0.isBought && $0.owner.entity == entity && $0.owner.partner == partner
            }
        }
    }
}
