import Foundation
import SteplineJSON
import SteplineSupport
import SteplineXML

/// The values of a file's secrets, and what takes them out of all that is told.
struct FlowSecrets: Sendable {
    private let values: [String: String]
    let redactor: SecretRedactor

    init(_ values: [String: String] = [:]) {
        self.values = values
        redactor = SecretRedactor(values)
    }

    /// The same values, whose redactor takes out others as well.
    init(_ values: FlowSecrets, hiding redactor: SecretRedactor) {
        self.values = values.values
        self.redactor = redactor
    }

    /// Those of several files, for what takes all out: those of like names under other ones.
    init(all: [(file: String, secrets: FlowSecrets)]) {
        var values: [String: String] = [:]
        for (file, secrets) in all {
            for (name, value) in secrets.values where values[name] != value {
                values[values[name] == nil ? name : "\(name) of \(file)"] = value
            }
        }
        self.init(values)
    }

    func value(of name: String) -> JSON { values[name].map { JSON($0) } ?? .null }

    /// The error, or one that says the same of it without any secret.
    func hidden(_ error: any Error) -> any Error {
        guard !redactor.isEmpty, !(error is CancellationError) else { return error }
        var cause: (any Error)? = error
        // Of a chain without an end nothing can be said, so its first links are to do.
        for _ in 0..<32 {
            guard let next = cause else { return error }
            guard redactor.redacted(ErrorText.line(next)) == nil else { break }
            cause = (next as? any ErrorWithCause)?.underlying
        }
        let text = ErrorText.line(error)
        return HiddenFailure(
            description: redactor.redacted(text) ?? text, isTransient: RetryPolicy.isTransient(error),
            retryAfter: retryAdvice(in: error)?.retryAfter)
    }

    /// Throws if a result that is going to be kept holds a secret.
    func checkKept(_ value: FlowValue) throws {
        guard !redactor.isEmpty else { return }
        let name =
            switch value {
            case .json(let json): redactor.firstSecret(in: Array(json.description.utf8))
            case .bytes(let data, _): redactor.firstSecret(in: Array(data))
            case .document(let document): redactor.firstSecret(in: Array(document.tree.node.xml.utf8))
            }
        guard let name else { return }
        throw FlowError(
            "its result holds the secret \"\(name)\", and would be kept in the store: "
                + "end with a step that leaves it out"
        )
    }
}

/// A failure whose own text, or that of a cause, holds a secret; what is behind it isn't passed on.
struct HiddenFailure: LocalizedError, RetryAdvising, CustomStringConvertible {
    let description: String
    let isTransient: Bool
    let retryAfter: RetryAfter?

    var errorDescription: String? { description }
}
