import SteplineSupport

/// The environment for decoding secrets; records the missing variables.
final class SecretSource: Sendable {
    /// The key under which a decoder finds the source.
    static let key = CodingUserInfoKey(rawValue: "stepline.secrets")

    let environment: [String: String]
    private let names = Locked<Set<String>>([])  // missing ones only

    init(_ environment: [String: String]) { self.environment = environment }

    /// The names of requested variables that aren't set.
    var missing: [String] { names.withLock { $0.sorted() } }

    func miss(_ name: String) { _ = names.withLock { $0.insert(name) } }
}
