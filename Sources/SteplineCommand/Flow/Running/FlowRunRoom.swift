import SteplineSupport

/// The memory limit for all results of a run, as far as formulas have created them.
///
/// A workflow keeps all results until its end, so a short file could fill the memory although each step stays within
/// its own limit. Loaded data and program output have other limits and don't count here.
final class FlowRunRoom: Sendable {
    /// The default limit in bytes.
    static let standard = 1 << 30
    /// The size below which values aren't measured exactly.
    private static let smallest = 1 << 16

    private let limit: Int
    private let used = Locked(0)

    init(limit: Int = standard) { self.limit = limit }

    /// Charges a kept value; throws if the limit is exceeded.
    ///
    /// `made` bytes were constructed on the way. Temporary values aren't kept, and passed values aren't constructed:
    /// the smaller number counts.
    func keep(_ value: FlowValue, made: Int) throws {
        try take(made < Self.smallest ? made : min(made, value.size))
    }

    /// Charges bytes; throws if the limit is exceeded.
    func take(_ bytes: Int) throws {
        guard fits(bytes) else {
            throw FlowError(
                "the results of a run may take \(limit >> 20) MiB together: end with a smaller value")
        }
    }

    /// The approximate bytes of an element that runs steps: its task, name and state.
    private static let element = 2048
    /// The approximate bytes of an element that runs a file, without the file's tasks.
    private static let inclusion = 16384

    /// Charges the elements of a map; each runs `tasks` tasks of another file, or its own steps if nil.
    ///
    /// This limits nested maps, whose numbers of elements multiply.
    func take(elements: Int, tasks: Int?) throws {
        let size = tasks.map { Self.inclusion + Self.element * $0 } ?? Self.element
        let (bytes, overflows) = size.multipliedReportingOverflow(by: elements)
        guard !overflows, fits(bytes) else {
            throw FlowError(
                "the elements of all maps of a run may take \(limit >> 20) MiB together"
                    + (elements > 1 ? ": this map has \(elements)" : ""))
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
    /// Charges a task's value; the error has the task's place.
    func keep(_ value: FlowValue, of task: FlowTask, made: Int) throws {
        try keeping(of: task) { try room?.keep(value, made: made) }
    }

    /// Charges bytes of a task.
    func keep(_ bytes: Int, of task: FlowTask) throws {
        try keeping(of: task) { try room?.take(bytes) }
    }

    /// Charges the complete result of an element for the map's list.
    func keep(element result: FlowResult, of task: FlowTask) throws {
        guard case .json(let value) = result.value else { return }
        try keep(ExpressionBudget.size(of: value), of: task)
    }

    /// Charges the elements of a map before they are created.
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
    /// Creates the failure of a task whose value exceeds the limit, at its last step or at the task.
    func failure(ofResultOf task: FlowTask, _ error: any Error) -> FlowFailure {
        if task.flow == nil, let step = task.steps.last { return failure(of: step, after: 1, error) }
        return failure(of: task.map == nil ? "flow" : "map", at: task.offset, "\(error)", error)
    }
}
