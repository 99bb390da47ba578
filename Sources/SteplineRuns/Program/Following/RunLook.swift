/// What somebody who follows a run sees at one moment.
package struct RunLook: Sendable {
    /// The run itself.
    package let run: RunRecord
    /// The steps that stand otherwise than at the look before, by time; at the first look all that are kept.
    package let changes: [StepRecord]
    /// The steps that run, or wait for their next attempt, by when they began.
    package let active: [StepRecord]
    /// How many steps are cancelled.
    package let cancelled: Int

    /// The same without news.
    var withoutChanges: RunLook { RunLook(run: run, changes: [], active: active, cancelled: cancelled) }
}
