// Carts and orders of the sandbox, in memory.
//
// Invariant: bounded; the oldest go first. What was ordered never changes: an order holds the lines of
// its checkout, and takes only those out of its cart. Nothing survives a restart: these are rehearsals.

import Synchronization

/// What customers of the sandbox have put into carts and ordered.
package final class RezolveOrders: Sendable {
    /// Whose something is: the partner's customer, at one merchant.
    package struct Owner: Sendable, Hashable {
        package let partner: String
        package let entity: String
        package let merchant: String
    }

    /// A product as it was chosen.
    package struct Choice: Sendable, Hashable {
        package let product: String
        /// The values of its options, by code.
        package var options: [String: String] = [:]
        /// The values of its custom options, by their id.
        package var customOptions: [String: String] = [:]
    }

    /// So many of one choice.
    package struct Line: Sendable, Equatable {
        package let choice: Choice
        package var quantity: Int
    }

    package struct Cart: Sendable {
        package let id: String
        package let owner: Owner
        package var lines: [Line]

        /// Takes lines out; false, with nothing changed, when they aren't all there any more.
        package mutating func take(_ taken: [Line]) -> Bool {
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

    package struct Order: Sendable {
        package let id: String
        package let owner: Owner
        package let cart: String?
        package let lines: [Line]
        /// In hundredths.
        package let price: Int
        /// Seconds since 1970 of the checkout.
        package let createdAt: Double
        package var isBought = false
    }

    /// What comes of buying.
    package enum Purchase: Sendable {
        case received(Order)
        /// The owner has no such order.
        case unknown
        /// What was ordered is in the cart no more: it was bought by another order, or thrown away.
        case cartGone
    }

    /// Carts that are kept, and orders.
    package static let mostKept = 1000

    /// Pieces of one choice in a cart.
    package static let mostPieces = 999

    /// Lines of a cart.
    package static let mostLines = 100

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

    /// Puts a line into the owner's cart, a new one where there is none.
    ///
    /// Nil, with nothing changed, when the cart would hold more than it may.
    package func add(_ line: Line, for owner: Owner) -> Cart? {
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

    /// The owner's cart; nil without one, or when it has another id.
    package func cart(_ id: String?, of owner: Owner) -> Cart? {
        state.withLock { state in
            state.carts.first { $0.owner == owner && (id == nil || $0.id == id) }
        }
    }

    /// Removes a cart; false when there is none.
    package func remove(_ id: String, of owner: Owner) -> Bool {
        state.withLock { state in
            let count = state.carts.count
            state.carts.removeAll { $0.owner == owner && $0.id == id }
            return state.carts.count < count
        }
    }

    /// Keeps an order that is not bought yet.
    ///
    /// - Parameter cart: the cart that the lines are from; nil for what is bought at once.
    package func order(
        _ lines: [Line], from cart: String?, for owner: Owner, price: Int, at now: Double
    ) -> Order {
        state.withLock { state in
            let order = Order(
                id: state.next(), owner: owner, cart: cart, lines: lines, price: price,
                createdAt: now)
            state.orders.append(order)
            if state.orders.count > Self.mostKept { state.orders.removeFirst() }
            return order
        }
    }

    /// Buys an order, and takes its lines out of the cart that they are from.
    ///
    /// One that is bought already is received again, and nothing else happens.
    package func buy(_ id: String?, for owner: Owner) -> Purchase {
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
            state.orders[index].isBought = true
            return .received(order)
        }
    }

    /// What a customer has bought, the newest first.
    package func bought(by entity: String, of partner: String) -> [Order] {
        state.withLock { state in
            state.orders.reversed().filter {
                $0.isBought && $0.owner.entity == entity && $0.owner.partner == partner
            }
        }
    }
}
