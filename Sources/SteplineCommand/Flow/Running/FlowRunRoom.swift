import SteplineSupport

/// What the results that a run keeps may take together, as far as formulas have made them.
///
/// A workflow keeps all results until it is over: a file of a few lines could fill the memory with them, though each step
/// stays within its own bound. What was loaded, or written by programs, doesn't count: that has limits of its own.
final class FlowRunRoom: Sendable {
    /// The most, in bytes.
    static let standard = 1 << 30
    /// Less isn't looked at to be counted exactly.
    private static let smallest = 1 << 16

    private let limit: Int
    private let used = Locked(0)

    init(limit: Int = standard) { self.limit = limit }

    /// A value is kept, in whose making so many bytes were made; throws if that is too much.
    ///
    /// What was made on the way isn't kept, and what was only passed on isn't made: the less of both counts.
    func keep(_ value: FlowValue, made: Int) throws {
        try take(made < Self.smallest ? made : min(made, value.size))
    }

    /// So many bytes are kept.
    func take(_ bytes: Int) throws {
        guard fits(bytes) else {
            throw FlowError(
                "the results of a run may take \(limit >> 20) MB together: end with a smaller value")
        }
    }

    /// The bytes of an element that runs steps, about: its task, its name and its state.
    private static let element = 2048
    /// The bytes of an element that runs a file, without the tasks of that file.
    private static let inclusion = 16384

    /// Charges the elements of a map, each of which runs `tasks` tasks of another file, or its own steps if nil.
    ///
    /// The charge bounds maps inside maps, whose numbers of elements multiply.
    func take(elements: Int, tasks: Int?) throws {
        let size = tasks.map { Self.inclusion + Self.element * $0 } ?? Self.element
        let (bytes, overflows) = size.multipliedReportingOverflow(by: elements)
        guard !overflows, fits(bytes) else {
            throw FlowError(
                "the elements of all maps of a run may take \(limit >> 20) MB together: this map has \(elements)"
            )
        }
    }

    private func fits(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard bytes <= limit - used else { return false }
            used += bytes
            return true
        }
    }
}

extension FlowPlan {
    /// A task's value is kept, in whose making so much was made; the error names the task's place.
    func keep(_ value: FlowValue, of task: FlowTask, made: Int) throws {
        try keeping(of: task) { try room?.keep(value, made: made) }
    }

    /// So much is kept of a task.
    func keep(_ bytes: Int, of task: FlowTask) throws {
        try keeping(of: task) { try room?.take(bytes) }
    }

    /// Charges the whole result of an element, for the list that is made of it.
    func keep(element result: FlowResult, of task: FlowTask) throws {
        guard case .json(let value) = result.value else { return }
        try keep(ExpressionBudget.size(of: value), of: task)
    }

    /// Charges the elements of a map, before they are made.
    func take(_ elements: Int, elementsOf task: FlowTask) throws {
        let tasks = inclusions[task.name].map { library[$0]?.order.count ?? 0 }
        try keeping(of: task) { try room?.take(elements: elements, tasks: tasks) }
    }

    private func keeping(of task: FlowTask, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw setting.failure(ofResultOf: task, error)
        }
    }
}

extension FlowSetting {
    /// The failure of a task whose value can't be kept, at its last step or, without steps, at the task.
    func failure(ofResultOf task: FlowTask, _ error: any Error) -> FlowFailure {
        if task.flow == nil, let step = task.steps.last { return failure(of: step, after: 1, error) }
        return failure(of: task.map == nil ? "flow" : "map", at: task.offset, "\(error)", error)
    }
}
