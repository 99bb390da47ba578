import Foundation

extension RunStore {
    /// Calls a closure with the result of each finished step whose name has a prefix.
    ///
    /// Reads the results in batches. Leaves out results that can't be read, which a resumed run makes again.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the names, such as `page[` for the elements of a map.
    ///   - id: The identity of the run.
    ///   - type: The type of the results.
    ///   - body: The closure.
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist, or the error of `body`.
    package func forEachResult<Value: Sendable>(
        ofStepsWith prefix: String, in id: RunID, as type: Value.Type, _ body: (Value) throws -> Void
    ) throws {
        guard let codec = ResultCodec(of: type) else { return }
        var names: [String] = []
        try forEachStep(of: id) { step in
            guard step.state == .finished, step.resultSize != nil, step.name.hasPrefix(prefix) else { return }
            names.append(step.name)
            guard names.count == 256 else { return }
            try readResults(of: names, in: id, codec, body)
            names = []
        }
        try readResults(of: names, in: id, codec, body)
    }

    private func readResults<Value>(
        of names: [String], in id: RunID, _ codec: ResultCodec, _ body: (Value) throws -> Void
    ) throws {
        // One damaged result fails the batch: read them one by one.
        let batch = (try? results(of: names, in: id)) ?? names.map { try? result(of: $0, in: id) }
        for case let data? in batch {
            guard let value = try? codec.decode(GrownBytes.result(in: data)) as? Value else { continue }
            try body(value)
        }
    }
}
