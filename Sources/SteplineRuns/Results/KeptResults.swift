import SteplineWorkflow

/// The source of a run's stored results, read on demand.
final class KeptResults: ResultSource {
    private let store: any RunStore
    private let id: RunID
    private let names: ContiguousArray<String>
    private let codecs: ContiguousArray<ResultCodec?>

    init(_ store: any RunStore, _ id: RunID, _ graph: RunGraph) {
        self.store = store
        self.id = id
        // Copy the arrays only: the graph refers to the workflows, whose restored tasks refer to this source.
        names = graph.names
        codecs = ContiguousArray(graph.steps.indices.map { graph.facts($0).codec })
    }

    func result(at place: Int) throws -> (any Sendable)? {
        guard let codec = codecs[place], let data = try store.result(of: names[place], in: id) else {
            return nil
        }
        return try codec.value(of: data) { try store.results(of: $0, in: id) }
    }
}
