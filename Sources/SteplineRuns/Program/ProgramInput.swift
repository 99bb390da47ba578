import Foundation
import SteplineJSON
import SteplineSupport

/// The input of a run: given on the command line, or stored when the run was created.
struct ProgramInput<Value: Codable & Sendable> {
    let value: Value
    /// The stored form.
    let data: Data
    private let secrets: SecretSource

    /// Creates the input from the argument of a new run or the stored input of an old one.
    ///
    /// Throws an error if an old run is given a different input.
    init(given: String?, kept: Data?, of run: RunID, environment: [String: String]) throws {
        // Records the names of missing variables while decoding.
        secrets = SecretSource(environment)
        guard let kept else {
            // A missing input may still decode, if no property is required.
            let text = given ?? "{}"
            value = try Self.read(Data(text.utf8), secrets) { error in
                given == nil
                    ? "--input is missing: \(ErrorText.line(error))"
                    : "--input is invalid: \(ErrorText.line(error))"
            }
            data = try Self.write(value)
            return
        }
        value = try Self.read(kept, secrets) { error in
            "the stored input of \(run) is invalid: \(ErrorText.line(error))"
        }
        // Keep the stored bytes: encoding again could change them.
        data = kept
        guard let given else { return }
        let other = try Self.read(Data(given.utf8), secrets) {
            "--input is invalid: \(ErrorText.line($0))"
        }
        guard try isSame(as: other) else {
            throw RunsError(
                "\(run) was started with another input: \(String(decoding: kept, as: UTF8.self)); "
                    + "leave out --input to continue with that, or take another key", isUsage: true)
        }
    }

    /// Creates the input from a value of this process.
    init(_ value: Value, for run: RunID) throws {
        self.value = value
        do { data = try Self.write(value) } catch {
            throw DurableRunError(.notStorable, run.description, "its input can't be kept", underlying: error)
        }
        secrets = SecretSource([:])
    }

    /// Throws an error unless a stored input is equal.
    func check(equals kept: Data?, of run: RunID) throws {
        // A run that was started without an input decodes as one without properties.
        if let other = try? Self.read(kept ?? Data("{}".utf8), secrets, problem: { "\($0)" }),
            try isSame(as: other)
        {
            return
        }
        throw DurableRunError(
            .otherInput, run.description, "it was started with another input; use another key")
    }

    /// Throws an error if environment variables of secrets aren't set.
    func checkSecrets() throws {
        let missing = secrets.missing
        guard !missing.isEmpty else { return }
        let isOne = missing.count == 1
        throw RunsError(
            "the environment has no \(missing.joined(separator: ", ")), which the input names as "
                + (isOne ? "a secret" : "secrets"), isUsage: true)
    }

    private func isSame(as other: Value) throws -> Bool {
        // Equal values may be encoded differently, such as sets.
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
