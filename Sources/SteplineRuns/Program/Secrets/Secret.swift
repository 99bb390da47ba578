import Foundation

/// A secret in the input of a run: only the name of its environment variable is stored.
///
///     struct Input: Codable, Sendable { var site: URL; var token: Secret }
///
///     mirror run … --input '{"site": "https://example.com", "token": {"$environment": "API_TOKEN"}}'
///
/// Each process that runs or resumes the run reads the variable. Descriptions contain only the name. Results derived
/// from the secret are stored like all others.
public struct Secret: Sendable {
    /// The name of the environment variable.
    public let variable: String
    private let found: String?

    /// Creates the secret in a variable of this process's environment.
    public init(environment variable: String) {
        self.init(variable, in: ProcessInfo.processInfo.environment)
    }

    private init(_ variable: String, in environment: [String: String]) {
        self.variable = variable
        let value = environment[variable] ?? ""
        // An empty variable counts as missing: an empty secret is always a mistake.
        found = value.isEmpty ? nil : value
    }

    /// The secret.
    ///
    /// - Throws: A `DurableRunError` with the code `secretMissing` if the variable is missing or empty.
    public var value: String {
        get throws {
            guard let found else {
                throw DurableRunError(.secretMissing, variable, "the environment has no such variable")
            }
            return found
        }
    }
}

extension Secret: Codable {
    private enum Keys: String, CodingKey {
        case variable = "$environment"
    }

    /// Decodes the name of the variable: `{"$environment": "API_TOKEN"}`.
    ///
    /// - Throws: A `DecodingError` for anything but the name of a variable.
    public init(from decoder: any Decoder) throws {
        guard let name = try? decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .variable),
            !name.isEmpty, !name.contains("=")
        else {
            // The value isn't part of the error: it may be the secret itself.
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a secret needs the name of an environment variable: "
                        + #"{"$environment": "NAME"}"#))
        }
        // Outside a durable program, read this process's environment.
        guard let source = SecretSource.key.flatMap({ decoder.userInfo[$0] as? SecretSource }) else {
            self.init(environment: name)
            return
        }
        self.init(name, in: source.environment)
        if found == nil { source.miss(name) }
    }

    /// Encodes the name of the variable.
    ///
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(variable, forKey: .variable)
    }
}

extension Secret: Hashable {
    /// Returns whether both secrets name the same variable.
    public static func == (left: Secret, right: Secret) -> Bool { left.variable == right.variable }

    /// Hashes the name of the variable.
    public func hash(into hasher: inout Hasher) { hasher.combine(variable) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the variable: `Secret(API_TOKEN)`.
    public var description: String { "Secret(\(variable))" }

    /// The description.
    public var debugDescription: String { description }

    /// A mirror that shows only the name of the variable, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["variable": variable]) }
}
