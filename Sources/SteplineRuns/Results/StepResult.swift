import SteplineWorkflow

/// The result of one step, which lies in its store until somebody wants it.
final class StepResult: ResultSource {
    private let store: any RunStore
    private let id: RunID
    private let step: String
    private let codec: ResultCodec?

    init(of step: String, in id: RunID, _ store: any RunStore, _ codec: ResultCodec?) {
        self.store = store
        self.id = id
        self.step = step
        self.codec = codec
    }

    func result(at place: Int) throws -> (any Sendable)? {
        guard let codec, !codec.isNothing else { return codec == nil ? nil : () }
        guard let data = try store.result(of: step, in: id) else { return nil }
        return try codec.decode(data)
    }
}
