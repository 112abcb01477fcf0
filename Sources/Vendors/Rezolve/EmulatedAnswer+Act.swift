// What Rezolve's SDK posts. Its app has no callback to a launch, so this isn't a scenario.

extension EmulatedAnswer {
    /// The answers to an act, after a person has filled in its form (vendor document 4.5).
    public static let act = EmulatedAnswer(
        query: [],
        body: .json(
            Array(
                #"""
                {"userId":null,"userName":null,"entityId":"entity-7","scanId":"scan-1",\#
                "answers":[{"question_id":"1","answer":"yes"},\#
                {"question_id":"2","answer":"21/11/2026 10:30"}]}
                """#.utf8)),
        outcome: .completed)
}
