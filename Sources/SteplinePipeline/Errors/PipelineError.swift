public import Foundation
public import SteplineSupport

/// What went wrong in a pipeline or a step, and where.
///
/// Every failure that a pipeline delivers is one of these; the error that a step threw is ``underlying``,
/// untouched. Misuse throws one too, and has then changed nothing.
public struct PipelineError: LocalizedError, ErrorWithCause, Sendable {
    private struct Facts {
        let code: Code
        let detail: String
        var pipeline = ""
        var step: StepPosition?
        var inputs: [AnyContentKey] = []
        var outputs: [AnyContentKey] = []
        var attempt = 0
        var issues: [CheckIssue] = []
        var underlying: (any Error)?
        /// What the cause says of itself, asked once: it is users' code, and an event is made under a lock.
        var cause: String?
    }

    // In an object, so that an error is one word wherever it is thrown, stored or handed on.
    private final class Storage: Sendable {
        let facts: Facts
        init(_ facts: Facts) { self.facts = facts }
    }

    private var storage: Storage

    init(_ code: Code, _ detail: String) {
        storage = Storage(Facts(code: code, detail: detail))
    }

    private func with<Value>(_ path: WritableKeyPath<Facts, Value>, _ value: Value) -> Storage {
        var facts = storage.facts
        facts[keyPath: path] = value
        return Storage(facts)
    }

    /// What kind of failure it is.
    public var code: Code { storage.facts.code }

    /// The pipeline's name; empty for a step alone.
    public internal(set) var pipeline: String {
        get { storage.facts.pipeline }
        set { storage = with(\.pipeline, newValue) }
    }

    /// The step that failed or was refused, if it was one.
    public internal(set) var step: StepPosition? {
        get { storage.facts.step }
        set { storage = with(\.step, newValue) }
    }

    /// The entries that the step reads.
    public internal(set) var inputs: [AnyContentKey] {
        get { storage.facts.inputs }
        set { storage = with(\.inputs, newValue) }
    }

    /// The entries that the step writes.
    public internal(set) var outputs: [AnyContentKey] {
        get { storage.facts.outputs }
        set { storage = with(\.outputs, newValue) }
    }

    /// How many attempts were made at the step.
    public internal(set) var attempt: Int {
        get { storage.facts.attempt }
        set { storage = with(\.attempt, newValue) }
    }

    /// What the check found, for ``Code/checkFailed``.
    public internal(set) var issues: [CheckIssue] {
        get { storage.facts.issues }
        set { storage = with(\.issues, newValue) }
    }

    /// The cause: what the step threw.
    public internal(set) var underlying: (any Error)? {
        get { storage.facts.underlying }
        set {
            storage = with(\.underlying, newValue)
            storage = with(\.cause, newValue.map { ErrorText.line($0) })
        }
    }

    var detail: String { storage.facts.detail }

    /// The cause's text, in one line.
    var cause: String? { storage.facts.cause }

    /// What an event tells of the step's own error, which asks no user's code.
    func eventText(of cause: any Error) -> String {
        self.cause ?? (cause as? PipelineError)?.description ?? detail
    }
}

extension PipelineError: RetryAdvising {
    /// A time-out is worth another attempt; any other failure if its cause is.
    public var isTransient: Bool {
        code == .timedOut || underlying.map(RetryPolicy.isTransient) ?? false
    }

    /// What the cause asks for.
    public var retryAfter: RetryAfter? {
        underlying.flatMap(retryAdvice)?.retryAfter
    }
}
