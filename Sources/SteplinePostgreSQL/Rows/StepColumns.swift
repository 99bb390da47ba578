import Foundation
import SteplineRuns

/// The columns of many steps as array parameters.
enum StepColumns {
    /// Returns the columns from `name` to `size` and `worker` as arrays.
    static func lists(_ steps: [StepRecord]) -> [Value] {
        [
            .list(steps.map { String?.some($0.name) }),
            .list(steps.map { Int?.some($0.state.number) }),
            .list(steps.map { Int?.some($0.attempt) }), .list(steps.map(\.token)),
            .list(steps.map { Int?.some($0.version) }), .list(steps.map(\.links)),
            .list(steps.map { Int?.some($0.failures) }), .list(steps.map { Int?.some($0.interruptions) }),
            .list(steps.map(\.began)), .list(steps.map(\.ended)), .list(steps.map(\.due)),
            .list(steps.map { Double?.some($0.wait) }),
            .list(steps.map { $0.failure?.code.withoutZeros }),
            .list(steps.map { $0.failure?.subject.withoutZeros }),
            .list(steps.map { $0.failure?.message.withoutZeros }),
            .list(steps.map { $0.failure?.underlying?.withoutZeros }),
            .list(steps.map(\.resultSize)), .list(steps.map(\.worker)),
        ]
    }
}

extension Answer.Row {
    /// The step in a row with the columns from `name` to `size`, followed by `worker`.
    var step: StepRecord {
        var step = StepRecord(self)
        step.worker = isNull(17) ? nil : text(17)
        return step
    }
}
