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

    /// The number up to which the feed has come, at least `newestSequence()`; subscriptions that
    /// begin later begin after it.
    ///
    /// Waits until the feed has read what other programs have stored. Throws `database` if that
    /// takes too long or the database can't be asked, or `cancelled`.
    package func sequenceReachedByFeed() async throws(StoreError) -> Int {
        let newest = try await storage.newestSequence()
        for _ in 0..<Limits.followingTries {
            if let last = feed.lastSequence, last >= newest { return last }
            guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { throw .cancelled }
        }
        throw .database(reason: "what other servers have stored can't be read in time")
    }

    /// The number of the last durable line that subscriptions get to know; nil if the database
    /// could not be reached yet.
    package var lastSequence: Int? { feed.lastSequence }

    /// What `lastSequence` was when the store was opened, or its database was first reached; nil
    /// before.
    ///
    /// What waited for the database comes later.
    package var firstSequence: Int? { feed.firstSequence }
}
