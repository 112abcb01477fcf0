// Waiting for results that are still to come.

extension ResultStore {
    /// Begins to collect results that match as they become durable.
    ///
    /// What was durable before is up to `startSequence`, and is for `page` to find; together they
    /// have no gap and no repetition. `unsubscribe` must follow.
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

    /// The number of the last line that is durable.
    package var lastSequence: Int { feed.lastSequence }
}
