import Foundation
import SteplineJSON
import SteplineRuns
import SteplineSupport
import SteplineXML

/// The values of a file's secrets, and the redactor that removes them from output.
struct FlowSecrets: Sendable {
    private let values: [String: String]
    let redactor: SecretRedactor

    init(_ values: [String: String] = [:]) {
        self.values = values
        redactor = SecretRedactor(values)
    }

    /// Creates the same values with a redactor that also hides other secrets.
    init(_ values: FlowSecrets, hiding redactor: SecretRedactor) {
        self.values = values.values
        self.redactor = redactor
    }

    /// Combines the secrets of several files for redaction; equal names get distinct ones.
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

    /// Returns the error, or a description without secrets.
    func hidden(_ error: any Error) -> any Error { redactor.hidden(error) }

    /// The names of secrets so short that they occur in other texts by chance.
    var short: [String] { values.filter { $0.value.utf8.count < SecretRedactor.safest }.keys.sorted() }

    /// Returns a result for storage; throws if it contains a secret.
    ///
    /// A source URL with a secret loses user, query and fragment: relative links need only the rest.
    func kept(_ result: FlowResult) throws -> FlowResult {
        guard !redactor.isEmpty else { return result }
        try checkKept(result.value)
        for file in result.files {
            guard let name = secret(in: file.path) else { continue }
            throw FlowError(
                "the path of a file that it writes holds the secret \"\(name)\", and would be kept in the store"
            )
        }
        guard case .bytes(let data, var origin) = result.value, let url = origin.url,
            secret(in: url.absoluteString) != nil
        else { return result }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        (parts.query, parts.fragment, parts.user, parts.password) = (nil, nil, nil, nil)
        origin.url = parts.url
        if let name = secret(in: origin.url?.absoluteString ?? "") {
            throw FlowError(
                "the address of its result holds the secret \"\(name)\", and would be kept in the store: "
                    + "end with a step that transforms the answer")
        }
        return FlowResult(value: .bytes(data, origin), files: result.files, skipped: result.skipped)
    }

    /// Throws if a value for storage contains a secret.
    func checkKept(_ value: FlowValue) throws {
        guard !redactor.isEmpty else { return }
        let name =
            switch value {
            case .json(let json): secret(in: json.description)
            case .bytes(let data, _): redactor.firstSecret(in: Array(data))
            case .document(let document): secret(in: document.tree.node.xml)
            }
        guard let name else { return }
        throw FlowError(
            "its result holds the secret \"\(name)\", and would be kept in the store: "
                + "end with a step that leaves it out"
        )
    }

    private func secret(in text: String) -> String? { redactor.firstSecret(in: Array(text.utf8)) }
}

/// A failure whose text or cause contained a secret; the cause is dropped.
struct HiddenFailure: LocalizedError, RetryAdvising, CustomStringConvertible {
    let description: String
    let isTransient: Bool
    let retryAfter: RetryAfter?

    var errorDescription: String? { description }
}
