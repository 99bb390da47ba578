import Foundation
import SteplineJSON

extension RunStore {
    /// The result of a finished step, read from any process, also while the run goes on.
    ///
    ///     let total = try store.result(of: "total", in: RunID("mirror", key: "2026-11-22"), as: Int.self)
    ///
    /// A `Codable` result is read by every type that can decode it. `String`, `Data` and `Void` must be the type of the
    /// result itself. Files that the step has made aren't looked for.
    ///
    /// - Parameters:
    ///   - step: The step's name: a path for a task inside a subworkflow, `page[/a]` for an element of a map.
    ///   - run: The workflow's name, and the run's key.
    ///   - type: The type of the result.
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun`, `noSuchStep`, `notFinished` or `wrongType`. It says what
    ///   is there instead. The failure of a failed step is its `underlying` error.
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
            if let nothing = () as? Value { return nothing }
            throw wrong("nothing is kept of it")
        }
        let found =
            ElementNames.read(data) != nil
            ? "it is a list"
            : "it is \(RunsText.oneLine(String(decoding: data.prefix(80), as: UTF8.self)))"
        // Any bytes are a text or data, so only the kept digest of the type tells.
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

    /// The result of a finished step as JSON: data in Base64, and null where nothing is kept.
    package func resultText(of step: String, in run: RunID) throws -> String {
        let (record, data) = try finished(step, in: run)
        guard let data else { return "null" }
        if let names = ElementNames.read(data) {
            return "[\(try names.map { try resultText(of: $0, in: run) }.joined(separator: ","))]"
        }
        func isOf(_ type: any Sendable.Type) -> Bool {
            ResultCodec(of: type).map { record.hasResult(of: $0.typeDigest) } ?? false
        }
        if !isOf(String.self), !isOf(Data.self), let json = try? JSON(parsing: data) {
            return String(decoding: json.data(), as: UTF8.self)
        }
        let text = isOf(Data.self) ? nil : String(data: data, encoding: .utf8)
        return try RunsText.json(text ?? data.base64EncodedString())
    }

    private func finished(_ name: String, in run: RunID) throws -> (step: StepRecord, result: Data?) {
        guard let step = try step(name, of: run) else {
            throw RunStoreError(
                .noSuchStep, store: self.name, "\(run) has no step \"\(name)\", or that has not begun")
        }
        guard step.state == .finished else { throw notFinished(step, run) }
        guard step.resultSize != nil else { return (step, nil) }
        guard let data = try result(of: name, in: run) else {
            // The step was put back between the two reads.
            throw notFinished(try self.step(name, of: run) ?? step, run)
        }
        return (step, ResultCodec.withoutFiles(data))
    }

    private func notFinished(_ step: StepRecord, _ run: RunID) -> RunStoreError {
        RunStoreError(
            .notFinished, store: name,
            "step \"\(step.name)\" of \(run) has not finished: it is \(step.state.rawValue)",
            underlying: step.failure.map { KeptFailure($0) })
    }
}
