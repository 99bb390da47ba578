import Foundation
import SteplineRuns

/// Makes a change of the step "a", with numbers that the store must return.
private func change(
    _ kind: StepChange.Kind, _ attempt: Int = 1, _ token: UInt64 = 1, at seconds: Double = 0
) -> StepChange {
    StepChange(
        kind, of: "a", attempt: attempt, token: token, at: moment(seconds), version: 3, links: .max,
        failures: 2, interruptions: 1)
}

extension RunStoreRequirement {
    /// Requirements on which changes of steps are accepted, and on their effects.
    static let steps: [RunStoreRequirement] = [
        RunStoreRequirement("a step's life is kept as it goes on") { trial in
            let store = trial.store
            let run = try store.openTest()
            var expected = StepRecord(name: "a")
            expected.version = 3
            expected.links = .max
            expected.failures = 2
            expected.interruptions = 1
            expected.attempt = 1
            expected.token = 1
            expected.state = .running
            expected.began = moment()
            try trial.expect("refused changes", run.write([change(.began)]), is: [])
            try trial.expect("the step that runs", store.step("a"), is: expected)

            expected.state = .waiting
            expected.ended = moment(1)
            expected.due = moment(61)
            expected.wait = 60
            expected.failure = .test
            let waiting = change(.waiting(.test, due: moment(61), wait: 60), at: 1)
            try trial.expect("refused changes", run.write([waiting]), is: [])
            try trial.expect("the step that waits", store.step("a"), is: expected)
            let first = expected

            try trial.expect("refused changes", run.write([change(.began, 2, at: 61)]), is: [])
            let finished = change(.finished(Data([1, 2])), 2, at: 62)
            try trial.expect("refused changes", run.write([finished]), is: [])
            expected.state = .finished
            expected.attempt = 2
            expected.began = moment(61)
            expected.ended = moment(62)
            expected.due = nil
            expected.wait = 0
            expected.failure = nil
            expected.resultSize = 2
            try trial.expect("the step that has finished", store.step("a"), is: expected)
            try trial.expect("the history", store.history(of: .test), is: [first])
            try trial.expect("the result", run.result(of: "a"), is: Data([1, 2]))
            try trial.expect("the result of an unknown step", run.result(of: "b"), is: nil)
            try trial.expect("the finished steps", store.run(.test)?.finished, is: 1)
            run.close()
        },
        RunStoreRequirement("DR-11: an attempt that counts no longer changes nothing") { trial in
            let run = try trial.store.openTest()
            let refused = try run.write([
                change(.began, 2), change(.finished(Data([1])), 1), change(.finished(Data([2])), 2, 9),
                change(.finished(Data([3])), 2), change(.finished(Data([4])), 2), change(.failed(.test), 2),
                change(.began, 0), change(.began, 2),
            ])
            try trial.expect("the places of what is refused", refused, is: [1, 2, 4, 5, 6, 7])
            try trial.expect("the result", run.result(of: "a"), is: Data([3]))
            try trial.expect("the failed steps", trial.store.run(.test)?.failed, is: 0)
            try trial.expect("the history", trial.store.history(of: .test), is: [])
            run.close()
        },
        RunStoreRequirement("DR-11: a beginning that is refused takes its end along") { trial in
            let run = try trial.store.openTest()
            try run.finish("a", attempt: 5, Data([5]))
            let refused = try run.write([
                change(.began, 4), StepChange(.began, of: "b", attempt: 1, token: 1, at: moment()),
                change(.finished(Data([4])), 4),
                StepChange(.finished(nil), of: "b", attempt: 1, token: 1, at: moment()),
            ])
            try trial.expect("the places of what is refused", refused, is: [0, 2])
            try trial.expect("the result", run.result(of: "a"), is: Data([5]))
            try trial.expect("the other step", trial.store.step("b")?.state, is: .finished)
            run.close()
        },
        RunStoreRequirement("DR-5: a cleared step is pending, and what it did is history") { trial in
            let store = trial.store
            let run = try store.openTest()
            try run.finish("a", attempt: 2, Data([1]))
            let finished = try trial.require("the finished step", store.step("a"))
            try trial.expect("clearing an earlier attempt", run.write([change(.cleared, 1)]), is: [0])
            try trial.expect("clearing the latest one", run.write([change(.cleared, 2)]), is: [])
            let cleared = try trial.require("the cleared step", store.step("a"))
            try trial.expect("its state", cleared.state, is: .pending)
            try trial.expect("when it began", cleared.began, is: nil)
            try trial.expect("the size of its result", cleared.resultSize, is: nil)
            try trial.expect("its result", run.result(of: "a"), is: nil)
            try trial.expect("the finished steps", store.run(.test)?.finished, is: 0)
            try trial.expect("an end after that", run.write([change(.finished(nil), 2)]), is: [0])
            try trial.expect("a later attempt", run.write([change(.began, 3)]), is: [])
            try trial.expect("the history", store.history(of: .test), is: [finished])
            run.close()
        },
        RunStoreRequirement("a step that was cancelled before it began has no history") { trial in
            let store = trial.store
            let run = try store.openTest()
            let cancelled = change(.cancelled(.test))
            try trial.expect("refused changes", run.write([cancelled, change(.began, 2)]), is: [])
            try trial.expect("the history", store.history(of: .test), is: [])
            let changes = [change(.cancelled(.test), 2, at: 1), change(.failed(.test), 3, at: 2)]
            try trial.expect("refused changes", run.write(changes), is: [])
            try trial.expect("the history", store.history(of: .test).map(\.state), is: [.cancelled])
            try trial.expect("the failed steps", store.run(.test)?.failed, is: 1)
            run.close()
        },
        RunStoreRequirement("DR-16: times are kept as they are, also when the clock is set back") { trial in
            let run = try trial.store.openTest()
            let odd = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
            let waiting = StepChange(
                .waiting(.test, due: odd - 0.1, wait: 0.1), of: "a", attempt: 1, token: 1, at: moment(-1e9))
            _ = try run.write([StepChange(.began, of: "a", attempt: 1, token: 1, at: odd), waiting])
            let step = try trial.require("the step", trial.store.step("a"))
            try trial.expect("when it began", step.began, is: odd)
            try trial.expect("when it ended", step.ended, is: moment(-1e9))
            try trial.expect("when it is due", step.due, is: odd - 0.1)
            try trial.expect("how long it waits", step.wait, is: 0.1)
            try run.end(.incomplete, at: .distantPast)
            try trial.expect("when the run ended", trial.store.run(.test)?.ended, is: .distantPast)
            try trial.expect("how many had ended", trial.store.forget(endedBefore: moment()), is: 1)
        },
    ]
}
