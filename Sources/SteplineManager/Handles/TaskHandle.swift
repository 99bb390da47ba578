public import SteplineSupport

/// The handle of one addition of a task: reports its state and outcome, starts and cancels it.
///
/// The manager keeps it until it ends, so it may be dropped; it does not keep its manager. Everything may be
/// called from any thread.
public final class TaskHandle<Success: Sendable>: ManagedTaskHandle {
    let record: TypedRecord<Success>
    let control: any TaskControl

    init(_ record: TypedRecord<Success>, _ control: any TaskControl) {
        self.record = record
        self.control = control
    }

    /// The handle without the type of its result.
    public var erased: AnyTaskHandle { AnyTaskHandle(record, control) }

    /// How the task has ended; nil if it hasn't.
    public var currentOutcome: Outcome<Success>? { control.outcome(of: record) }
}
