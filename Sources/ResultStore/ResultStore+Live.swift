// Waits for future results.

extension ResultStore {
    /// Starts to collect matching results as they become durable.
    ///
    /// `page` finds the results up to `startSequence`; together they have no gap and no repetition.
    /// Call `unsubscribe` afterwards.
    ///
    /// O(size of the condition).
    package func subscribe(
        to condition: Condition, _ purpose: Subscription.Purpose
    ) -> Subscription {
        feed.subscribe(to: condition, purpose)
    }

    /// Ends a subscription.
    package func unsubscribe(_ subscription: Subscription) {
        feed.cancel(subscription)
    }

    /// The number of the last durable line.
    package var lastSequence: Int { feed.lastSequence }
}
