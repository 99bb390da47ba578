import Foundation
import SteplineJSON

extension RunStore {
    /// Returns the result of a finished step, also while the run is in progress.
    ///
    ///     let total = try store.result(of: "total", in: RunID("mirror", key: "2026-11-22"), as: Int.self)
    ///
    /// Any type that can decode the stored JSON is accepted for a `Codable` result. `String`, `Data` and `Void` must be
    /// the exact type. Files that the step has produced aren't checked.
    ///
    /// - Parameters:
    ///   - step: The step's name: a path for a task inside a subworkflow, `page[/a]` for an element of a map.
    ///   - run: The identity of the run.
    ///   - type: The type of the result.
    /// - Returns: The result.
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun`, `noSuchStep`, `notFinished` or `wrongType`, which
    ///   describes what
    ///   was found. The failure of a failed step is its `underlying` error.
    public func result<Value: Sendable>(
        of step: String, in run: RunID, as type: Value.Type
    ) throws -> Value {
        func wrong(_ why: String, _ cause: (any Error)? = nil) -> RunStoreError {
            RunStoreError(
                .wrongType, store: name, "the result of step \"\(step)\" of \(run) is no \(type): \(why)",
                underlying: cause)
        }
        let (record, data) = try finished(step, in: run)
        guard let codec = ResultCodec(of: type) else { throw wrong("\(type) is not Codable") }
        guard let data else {
            // No stored bytes: only Void is such a result.
            if let nothing = () as? Value { return nothing }
            throw wrong("nothing is kept of it")
        }
        let found =
            ElementNames.read(data) != nil
            ? "it is a list"
            : "it is \(RunsText.oneLine(String(decoding: data.prefix(80), as: UTF8.self)))"
        // Any bytes decode as String or Data, so compare the stored type digest.
        let isExact = type == String.self || type == Data.self || type == Void.self
        guard !isExact || record.hasResult(of: codec.typeDigest) else { throw wrong(found) }
        do {
            let bytes = ElementNames.read(data) == nil ? data : Data(try resultText(of: step, in: run).utf8)
            if let value = try codec.decode(bytes) as? Value { return value }
        } catch {
            throw wrong(found, error)
        }
        throw wrong(found)
    }

    /// Returns the result of a finished step as JSON: data as Base64, nothing as null.
    package func resultText(of step: String, in run: RunID) throws -> String {
        let (record, data) = try finished(step, in: run)
        guard let data else { return "null" }
        // A large map: assemble the list from its elements.
        if let names = ElementNames.read(data) {
            return "[\(try names.map { try resultText(of: $0, in: run) }.joined(separator: ","))]"
        }
        func isOf(_ type: any Sendable.Type) -> Bool {
            ResultCodec(of: type).map { record.hasResult(of: $0.typeDigest) } ?? false
        }
        // Text may look like JSON: decide by the stored type first.
        if !isOf(String.self), !isOf(Data.self), let json = try? JSON(parsing: data) {
            return String(decoding: json.data(), as: UTF8.self)
        }
        let text = isOf(Data.self) ? nil : String(data: data, encoding: .utf8)
        return try RunsText.json(text ?? data.base64EncodedString())
    }

    private func finished(_ name: String, in run: RunID) throws -> (step: StepRecord, result: Data?) {
        guard let step = try step(name, of: run) else {
            throw RunStoreError(
                .noSuchStep, store: self.name, "\(run) has no step \"\(name)\", or the step hasn't begun")
        }
        guard step.state == .finished else { throw notFinished(step, run) }
        // Finished without a stored result.
        guard step.resultSize != nil else { return (step, nil) }
        guard let data = try result(of: name, in: run) else {
            // The step was restarted between the two reads.
            throw notFinished(try self.step(name, of: run) ?? step, run)
        }
        let result = step.isGrown(data) ? GrownBytes.result(in: data) : data
        return (step, ResultCodec.withoutFiles(result))
    }

    private func notFinished(_ step: StepRecord, _ run: RunID) -> RunStoreError {
        RunStoreError(
            .notFinished, store: name,
            "step \"\(step.name)\" of \(run) has not finished: it is \(step.state.rawValue)",
            underlying: step.failure.map { KeptFailure($0) })
    }
}
