/// A task whose result is chosen from the results of a map, in their order.
///
/// ``TaskRef/settled`` and ``TaskRef/asTheyFinish`` of the task have the elements of the map, also if the map fails.
final class ChosenResults<Output: Sendable>: WorkflowTask, @unchecked Sendable {  // constants
    /// The map, in the same workflow.
    let map: Int32
    private let all: @Sendable () throws -> [Output]
    private let one: @Sendable (WorkflowCore, Int32) throws -> Output?

    init<Entry: Sendable>(
        _ name: String, of map: TaskRef<[Entry]>, _ choose: @escaping @Sendable (Entry) -> Output?
    ) {
        self.map = map.index
        all = { try map.readValue().compactMap(choose) }
        one = { core, number in choose(try TaskRef<Entry>(core, number).readValue()) }
        super.init(name: name)
    }

    /// Returns what is chosen from a Finished element of the map; nil if the element is left out.
    ///
    /// - Parameters:
    ///   - core: The inner workflow of the map.
    ///   - number: The task of the element.
    func chosen(in core: WorkflowCore, of number: Int32) throws -> Output? { try one(core, number) }

    override func run() async throws -> (any Sendable)? { try all() }

    override var resultType: (any Sendable.Type)? { [Output].self }

    override var hasHooks: Bool { false }
}

extension Workflow {
    /// Adds a task whose result is chosen from the results of a map, without those for which `choose` returns nil.
    package func add<Entry: Sendable, Output: Sendable>(
        _ name: String, choosingFrom map: TaskRef<[Entry]>,
        _ choose: @escaping @Sendable (Entry) -> Output?
    ) throws -> TaskRef<[Output]> {
        try add(ChosenResults(name, of: map, choose), after: map)
    }
}
