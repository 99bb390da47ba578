import Foundation
import SteplineRuns

extension RunStoreRequirement {
    /// Requirements on signals to runs.
    static let signals: [RunStoreRequirement] = [
        RunStoreRequirement(
            "DR-20: a signal comes before, while and after somebody has the run, and its first word counts"
        ) { trial in
            let store = trial.store
            func send(_ signal: RunSignal) throws -> Bool {
                try store.send(signal, to: .test, at: moment())
            }
            trial.expect("a word for a run that there isn't", throws: .noSuchRun) {
                _ = try send(.cancel("x"))
            }
            let run = try store.openTest()
            try trial.expect("the signals of a new run", store.signals(of: .test), is: [])
            try trial.expect("the first condition", send(.fulfil(condition: "b", nil)), is: true)
            try trial.expect("another condition", send(.fulfil(condition: "a", Data([1]))), is: true)
            try trial.expect("a condition again", send(.fulfil(condition: "a", Data([2]))), is: false)
            try trial.expect(
                "a condition's word that is withdrawn", store.withdraw(condition: "b", of: .test), is: true)
            try trial.expect(
                "a condition's word that is withdrawn again", store.withdraw(condition: "b", of: .test),
                is: false)
            try trial.expect(
                "the signals after that", store.signals(of: .test), is: [.fulfil(condition: "a", Data([1]))])
            try trial.expect("a condition after that", send(.fulfil(condition: "b", nil)), is: true)
            trial.expect("the signals of a run that there isn't", throws: .noSuchRun) {
                _ = try store.signals(of: RunID("none", key: "none"))
            }
            trial.expect("a withdrawal for a run that there isn't", throws: .noSuchRun) {
                _ = try store.withdraw(condition: "b", of: RunID("none", key: "none"))
            }
            run.close()
            try trial.expect("a cancellation that nobody waits for", send(.cancel("over")), is: true)
            try trial.expect("a cancellation again", send(.cancel("really")), is: false)
            let reopened = try trial.reopened()
            let next = try reopened.openTest(2)
            let expected: [RunSignal] = [
                .fulfil(condition: "a", Data([1])), .fulfil(condition: "b", nil), .cancel("over"),
            ]
            try trial.expect("the signals for the next owner", reopened.signals(of: .test), is: expected)
            try trial.expect(
                "the signals when they are asked for again", reopened.signals(of: .test), is: expected)
            next.close()
        },
        RunStoreRequirement("a run is paused until it is resumed, whoever has it open") { trial in
            let store = trial.store
            trial.expect("a pause of a run that there isn't", throws: .noSuchRun) {
                _ = try store.pause(.test)
            }
            let run = try store.openTest()
            try trial.expect("a run that nobody has paused", store.isPaused(.test), is: false)
            try trial.expect("a pause", store.pause(.test), is: true)
            try trial.expect("a pause of a paused run", store.pause(.test), is: false)
            run.close()
            let reopened = try trial.reopened()
            try trial.expect("a paused run that is opened again", reopened.isPaused(.test), is: true)
            try trial.expect("a resume", reopened.resume(.test), is: true)
            try trial.expect("a resume of a run that isn't paused", reopened.resume(.test), is: false)
            try trial.expect("a run that was resumed", store.isPaused(.test), is: false)
            try trial.expect("its signals", store.signals(of: .test), is: [])
        },
        RunStoreRequirement(
            "DR-19: the end of a run answers the word to cancel it, and it can be cancelled again"
        ) { trial in
            let store = trial.store
            let run = try store.openTest()
            _ = try store.send(.fulfil(condition: "a", nil), to: .test, at: moment())
            _ = try store.send(.cancel("over"), to: .test, at: moment())
            try run.end(.cancelled("over"), at: moment(1))
            let again = try store.openTest(2)
            try trial.expect(
                "the signals that are left", store.signals(of: .test), is: [.fulfil(condition: "a", nil)])
            let isTaken = try store.send(.cancel("really"), to: .test, at: moment(2))
            try trial.expect("another cancellation", isTaken, is: true)
            try trial.expect("the last signal", store.signals(of: .test).last, is: .cancel("really"))
            again.close()
        },
    ]
}
