import Foundation

/// A secret that a run is started with: what is kept of it is the name of an environment variable, and nothing else.
///
///     struct Input: Codable, Sendable { var site: URL; var token: Secret }
///
///     mirror run … --input '{"site": "https://example.com", "token": {"$environment": "API_TOKEN"}}'
///
/// The variable is read whenever a process makes the run or goes on with it. A description shows its name alone. What
/// a step makes of the secret is kept like any other result.
public struct Secret: Sendable {
    /// The variable's name.
    public let variable: String
    private let found: String?

    /// The secret in that variable of this process' environment.
    public init(environment variable: String) {
        self.init(variable, in: ProcessInfo.processInfo.environment)
    }

    private init(_ variable: String, in environment: [String: String]) {
        self.variable = variable
        let value = environment[variable] ?? ""
        found = value.isEmpty ? nil : value
    }

    /// The secret itself; throws a `DurableRunError` if the variable isn't set, or is empty.
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

    /// Takes the secret by the name of its variable: `{"$environment": "API_TOKEN"}`.
    public init(from decoder: any Decoder) throws {
        guard let name = try? decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .variable),
            !name.isEmpty, !name.contains("=")
        else {
            // Who has given the secret itself doesn't want to read it here.
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a secret is given by the name of an environment variable, as "
                        + #"{"$environment": "NAME"}"#))
        }
        guard let source = SecretSource.key.flatMap({ decoder.userInfo[$0] as? SecretSource }) else {
            self.init(environment: name)
            return
        }
        self.init(name, in: source.environment)
        if found == nil { source.miss(name) }
    }

    /// Writes the name of the variable.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(variable, forKey: .variable)
    }
}

extension Secret: Hashable {
    /// Whether both are in the same variable.
    public static func == (left: Secret, right: Secret) -> Bool { left.variable == right.variable }

    /// Takes the variable's name.
    public func hash(into hasher: inout Hasher) { hasher.combine(variable) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The variable's name: `Secret(API_TOKEN)`.
    public var description: String { "Secret(\(variable))" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// The variable's name, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["variable": variable]) }
}
