import Foundation
import SteplineWorkflow

/// The source of one step's stored result, read on demand.
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
        guard let codec, !codec.hasNoValue else { return codec == nil ? nil : () }
        return try store.result(of: step, in: id).map { try value(of: $0, codec) }
    }

    private func value(of data: Data, _ codec: ResultCodec) throws -> any Sendable {
        try codec.value(of: data) { try store.results(of: $0, in: id) }
    }

    // Reads the results of a map's elements in a few queries, if all of them belong to one run.
    func results(of all: [(source: any ResultSource, place: Int)]) throws -> [(any Sendable)?]? {
        let steps = all.compactMap { $0.source as? StepResult }
        guard steps.count == all.count, steps.allSatisfy({ $0.id == id }) else { return nil }
        let found = try store.results(of: steps.map(\.step), in: id)
        return try zip(steps, found).map { step, data in
            guard let codec = step.codec, !codec.hasNoValue else { return step.codec == nil ? nil : () }
            return try data.map { try step.value(of: $0, codec) }
        }
    }
}
