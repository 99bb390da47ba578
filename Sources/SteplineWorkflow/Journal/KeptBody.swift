import SteplineSupport

/// The body of a durable run that the caller runs in.
struct KeptBody: Sendable {
    @TaskLocal static var current: KeptBody?

    let core: WorkflowCore
    let number: Int32

    /// The name of the task whose body the caller runs in; nil elsewhere.
    static var currentName: String? { current.map { body in body.core.look { $0.name(body.number) } } }
}

extension TaskAttempt {
    /// A key of this step of this run, the same in each of its attempts; nil in a run that isn't kept.
    ///
    /// A body of a durable run may be run again after it has done its work, by the next process. Who sends something
    /// that has an effect sends this with it, to a service that recognises what it has had before.
    public var idempotencyKey: String? { core?.idempotencyKey(of: place) }

    /// The key of the attempt whose body the caller runs in; nil elsewhere.
    ///
    ///     request.setValue(TaskAttempt.idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
    public static var idempotencyKey: String? {
        KeptBody.current.flatMap { $0.core.idempotencyKey(of: $0.number) }
    }
}

extension WorkflowCore {
    fileprivate func idempotencyKey(of number: Int32) -> String? {
        surroundings.withLock { $0.journal }?.idempotencyKey(of: Int(number))
    }
}

extension Workflow {
    /// The body of a kept task that the caller runs in; nil elsewhere.
    package static var currentBody: (workflow: ObjectIdentifier, number: Int)? {
        KeptBody.current.map { (ObjectIdentifier($0.core), Int($0.number)) }
    }

    /// This workflow in ``currentBody``.
    package var bodyIdentifier: ObjectIdentifier { ObjectIdentifier(core) }
}
