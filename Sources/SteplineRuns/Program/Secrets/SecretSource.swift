import SteplineSupport

/// The environment that secrets are decoded with; notes which of them it doesn't have.
final class SecretSource: Sendable {
    /// What a decoder knows it by.
    static let key = CodingUserInfoKey(rawValue: "stepline.secrets")

    let environment: [String: String]
    private let names = Locked<Set<String>>([])

    init(_ environment: [String: String]) { self.environment = environment }

    /// The variables that were asked for and aren't set.
    var missing: [String] { names.withLock { $0.sorted() } }

    func miss(_ name: String) { _ = names.withLock { $0.insert(name) } }
}
