/// The end of an element of a growing map: its result, and what its attempt has found.
///
/// The body returns it. A durable run stores it as one result. The task then keeps only the output.
package struct GrownResult: Sendable {
    /// The result of the element, or a ``KeptResult``.
    package let output: any Sendable
    /// The elements that the attempt has found, each key once.
    package internal(set) var found: [any Sendable]
    /// The depth of the element itself.
    package internal(set) var depth: Int
    /// The tasks for what was found; nil before ``SubworkflowTask/prepare(_:of:)``.
    var additions: (any ElementAdditions)?

    package init(_ output: any Sendable, found: [any Sendable], depth: Int) {
        self.output = output
        self.found = found
        self.depth = depth
    }
}

/// Tasks for elements, prepared without the machine's lock, because keys and options come from user code.
protocol ElementAdditions: Sendable {
    /// Adds the tasks of unknown elements, and starts them in a run.
    func add(to machine: inout WorkflowMachine, _ turn: inout WorkflowTurn)
}

extension WorkflowCore {
    /// Returns the end of an attempt with the additions to the growing map around it, if there are any.
    func prepared(_ value: any Sendable, of number: Int32) throws -> any Sendable {
        guard let grown = value as? GrownResult, let task = surroundings.withLock({ $0.enclosingTask }) else {
            return value
        }
        return try task.prepare(grown, of: number)
    }
}
