/// The state of a followed run at one time.
package struct RunLook: Sendable {
    /// The run.
    package let run: RunRecord
    /// The steps that changed since the previous look, by time; all stored steps at the first look.
    package let changes: [StepRecord]
    /// The running and waiting steps, by begin.
    package let active: [StepRecord]
    /// The number of cancelled steps.
    package let cancelled: Int

    /// The same look without changed steps.
    var withoutChanges: RunLook { RunLook(run: run, changes: [], active: active, cancelled: cancelled) }
}
