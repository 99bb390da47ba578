import Foundation
import SteplinePipeline
import SteplinePrograms
import SteplineSupport

extension FlowSecrets {
    /// The time limit of a secret's command, which could wait for a terminal forever.
    private static let commandTime = Duration.seconds(120)

    /// Reads the secrets that a run needs; throws an error with instructions if one is missing.
    init(_ secrets: [FlowSecret], in setting: FlowSetting, _ environment: [String: String]) async throws {
        var values: [String: String] = [:]
        for secret in secrets {
            values[secret.name] = try await Self.value(of: secret, setting, environment)
        }
        self.init(values)
    }

    private static func value(
        of secret: FlowSecret, _ setting: FlowSetting, _ environment: [String: String]
    ) async throws -> String {
        let value: String
        switch secret.source {
        case .environment(let name):
            guard let text = environment[name] else {
                throw UsageError("the secret \"\(secret.name)\" is missing: set \(name) in the environment")
            }
            value = text
        case .file(let path): value = try text(of: file(path, secret, setting), secret)
        case .command(let program):
            let scope = FlowScope(setting: setting, bag: Content(), input: nil)
            do {
                let call = try program.call(
                    in: scope, hidesComplaints: true, timeLimit: commandTime)
                let output = try await ProgramRun.output(
                    of: call, clock: setting.clock, among: setting.programs)
                value = try text(of: output, secret)
            } catch  where error is FlowError || error is ProgramFailure {
                let isTimeOut = (error as? ProgramFailure)?.isTimeOut == true
                throw UsageError(
                    "the secret \"\(secret.name)\" is missing: \(error)"
                        + (isTimeOut ? "; a secret's command can't read from the terminal" : ""))
            }
        case .broken: throw UsageError("the secret \"\(secret.name)\" can't be read")
        }
        let count = value.utf8.count
        guard count >= SecretRedactor.shortest, count <= SecretRedactor.longest else {
            throw UsageError(
                "the secret \"\(secret.name)\" has \(count) bytes; redaction "
                    + "needs from \(SecretRedactor.shortest) to \(SecretRedactor.longest)")
        }
        return value
    }

    private static func file(_ path: FlowPath, _ secret: FlowSecret, _ setting: FlowSetting) throws -> Data {
        let url = try setting.folder.resolve(path.path)
        guard let file = FileHandle(forReadingAtPath: url.path(percentEncoded: false)),
            let data = try? file.read(upToCount: SecretRedactor.longest + 3)
        else {
            throw UsageError("the secret \"\(secret.name)\" is missing: \(path.path) can't be read")
        }
        return data
    }

    /// Returns the text without its final newline.
    private static func text(of data: Data, _ secret: FlowSecret) throws -> String {
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            throw UsageError("the secret \"\(secret.name)\" is no text")
        }
        return text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
