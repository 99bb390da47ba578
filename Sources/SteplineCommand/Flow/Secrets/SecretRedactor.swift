import SteplineSupport

/// Removes secrets from texts, also percent-encoded, in base64, or escaped for JSON or HTML.
///
/// Each occurrence is replaced by `[secret NAME]`, which has no special meaning in these formats. In a truncated text
/// (`…`), the beginning of a secret is replaced too.
///
/// A run has one redactor, which all its files and outputs share. Steps `mask` add values while it runs.
final class SecretRedactor: Sendable {
    /// The shortest redacted secret; shorter ones occur in most texts.
    static let shortest = 4
    /// The shortest secret that doesn't occur in other texts or numbers by chance.
    static let safest = 8
    static let longest = 8192
    /// The largest number of values that steps mask: each makes all later redactions slower.
    static let mostMasked = 1000
    /// The name of masked values in texts and errors.
    static let masked = "masked"

    private struct State {
        var needles: SecretNeedles
        var masked: Set<String> = []
    }

    private let state: Locked<State>

    init(_ values: [String: String] = [:]) {
        let values = values.sorted { $0.key < $1.key }
        state = Locked(State(needles: SecretNeedles(values.map { (name: $0.key, value: $0.value) })))
    }

    private var needles: SecretNeedles { state.withLock { $0.needles } }

    var isEmpty: Bool { needles.isEmpty }

    /// Hides a value in all later texts; throws if it is too short or too long, or if there are too many.
    ///
    /// - Returns: Whether the value wasn't hidden before.
    @discardableResult
    func mask(_ value: String) throws -> Bool {
        let count = value.utf8.count
        guard count >= Self.shortest, count <= Self.longest else {
            throw FlowError(
                "the value has \(count) bytes; redaction needs from \(Self.shortest) to \(Self.longest)")
        }
        let isNew: Bool? = state.withLock { state in
            guard !state.masked.contains(value) else { return false }
            guard state.masked.count < Self.mostMasked else { return nil }
            state.masked.insert(value)
            state.needles.add([(name: Self.masked, value: value)])
            return true
        }
        guard let isNew else { throw FlowError("a run masks at most \(Self.mostMasked) values") }
        return isNew
    }

    /// Returns the text without secrets; nil if it contains none.
    func redacted(_ text: String) -> String? { needles.redacted(text) }

    /// Returns the bytes without secrets; nil if they contain none.
    func redacted(_ bytes: [UInt8]) -> [UInt8]? { needles.redacted(bytes) }

    /// Returns the name of the first secret in the bytes.
    func firstSecret(in bytes: [UInt8]) -> String? { needles.firstSecret(in: bytes) }
}
