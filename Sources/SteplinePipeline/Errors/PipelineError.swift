public import Foundation
public import SteplineSupport

/// A failure of a pipeline or a step, with its place and cause.
///
/// Every failure that a pipeline delivers has this type. ``underlying`` is the error that the step threw, unchanged.
/// Invalid calls throw this type too, and then change nothing.
public struct PipelineError: LocalizedError, ErrorWithCause, Sendable {
    private struct Facts {
        let code: Code
        let detail: String
        var pipeline = ""
        var step: StepPosition?
        var inputs: [AnyContentKey] = []
        var outputs: [AnyContentKey] = []
        var attempt = 0
        var noRetry: String?
        var issues: [CheckIssue] = []
        var underlying: (any Error)?
        /// The description of the cause, read once: it is user code, and events are created under a lock.
        var cause: String?
    }

    // Facts are stored in an object, so an error needs one word wherever it is thrown, stored or passed.
    private final class Storage: Sendable {
        let facts: Facts
        init(_ facts: Facts) { self.facts = facts }
    }

    private var storage: Storage

    init(_ code: Code, _ detail: String) {
        storage = Storage(Facts(code: code, detail: detail))
    }

    private func with<Value>(_ path: WritableKeyPath<Facts, Value>, _ value: Value) -> Storage {
        // Never change the object: copies of the error share it.
        var facts = storage.facts
        facts[keyPath: path] = value
        return Storage(facts)
    }

    /// The kind of failure.
    public var code: Code { storage.facts.code }

    /// The pipeline's name; empty for a step without a pipeline.
    public internal(set) var pipeline: String {
        get { storage.facts.pipeline }
        set { storage = with(\.pipeline, newValue) }
    }

    /// The step that failed or was rejected, if any.
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

    /// The number of attempts of the step.
    public internal(set) var attempt: Int {
        get { storage.facts.attempt }
        set { storage = with(\.attempt, newValue) }
    }

    /// The reason why no attempt followed, although the retry policy has more.
    var noRetry: String? {
        get { storage.facts.noRetry }
        set { if newValue != nil { storage = with(\.noRetry, newValue) } }
    }

    /// The issues that the check found, for ``Code/checkFailed``.
    public internal(set) var issues: [CheckIssue] {
        get { storage.facts.issues }
        set { storage = with(\.issues, newValue) }
    }

    /// The error that the step threw.
    public internal(set) var underlying: (any Error)? {
        get { storage.facts.underlying }
        set {
            storage = with(\.underlying, newValue)
            // The only call of the error's description, outside any lock.
            storage = with(\.cause, newValue.map { ErrorText.line($0) })
        }
    }

    var detail: String { storage.facts.detail }

    /// The description of the cause, as a single line.
    var cause: String? { storage.facts.cause }

    /// Returns the text of an event about the step's error, without calling user code.
    func eventText(of cause: any Error) -> String {
        // Without a stored description, the cause is an error of the library itself.
        self.cause ?? (cause as? PipelineError)?.description ?? detail
    }
}

extension PipelineError: RetryAdvising {
    /// Whether another attempt may succeed: true for a time-out, otherwise decided by the cause.
    public var isTransient: Bool {
        code == .timedOut || underlying.map(RetryPolicy.isTransient) ?? false
    }

    /// The delay that the cause requests.
    public var retryAfter: RetryAfter? {
        underlying.flatMap(retryAdvice)?.retryAfter
    }
}
