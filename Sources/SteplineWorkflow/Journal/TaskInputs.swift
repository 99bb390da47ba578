import SteplineEngine

/// The inputs of an attempt's result, as far as the workflow knows them.
package struct TaskInputs: Sendable {
    /// For how long another run's result may be taken over.
    package let lifetime: Duration
    /// The results of the prerequisites, by their numbers.
    package let results: [(number: Int, value: (any Sendable)?)]
    /// The element of a list that it is made for.
    package let element: (any Sendable)?
}

/// A result that was made by another run.
package struct TakenResult: Sendable {
    package let value: (any Sendable)?

    package init(_ value: (any Sendable)?) { self.value = value }
}
