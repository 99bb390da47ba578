import Foundation
import SteplineJSON
import SteplineSupport

/// What a run is started with: given on the command line, or kept with the run since it was first opened.
struct ProgramInput<Value: Codable & Sendable> {
    let value: Value
    /// As it is kept.
    let data: Data
    private let secrets: SecretSource

    /// Takes what is given for a new run, and what was kept for an old one; both must be the same.
    init(given: String?, kept: Data?, of run: RunID, environment: [String: String]) throws {
        secrets = SecretSource(environment)
        guard let kept else {
            let text = given ?? "{}"
            value = try Self.read(Data(text.utf8), secrets) { error in
                given == nil
                    ? "--input is missing: \(ErrorText.line(error))"
                    : "--input can't be understood: \(ErrorText.line(error))"
            }
            data = try Self.write(value)
            return
        }
        value = try Self.read(kept, secrets) { error in
            "the input that \(run) was started with can't be understood: \(ErrorText.line(error))"
        }
        data = kept
        guard let given else { return }
        let other = try Self.read(Data(given.utf8), secrets) {
            "--input can't be understood: \(ErrorText.line($0))"
        }
        guard try isSame(as: other) else {
            throw RunsError(
                "\(run) was started with another input: \(String(decoding: kept, as: UTF8.self)); "
                    + "leave out --input to go on with that, or take another key", isUsage: true)
        }
    }

    /// Throws if variables aren't set that secrets are in.
    func checkSecrets() throws {
        let missing = secrets.missing
        guard !missing.isEmpty else { return }
        let isOne = missing.count == 1
        throw RunsError(
            "the environment has no \(missing.joined(separator: ", ")), which the input names as "
                + (isOne ? "a secret" : "secrets"), isUsage: true)
    }

    private func isSame(as other: Value) throws -> Bool {
        if let value = value as? any Equatable, value.isEqual(to: other) { return true }
        return try Self.write(value) == Self.write(other)
    }

    private static func read(
        _ data: Data, _ secrets: SecretSource, problem: (any Error) -> String
    ) throws -> Value {
        var decoder = JSON.Decoder()
        if let key = SecretSource.key { decoder.userInfo[key] = secrets }
        do {
            return try decoder.decode(Value.self, from: data)
        } catch {
            throw RunsError(problem(error), isUsage: true)
        }
    }

    private static func write(_ value: Value) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
