import Foundation
import SteplineRuns

extension RunStoreRequirement {
    /// Requirements on removing runs, and on calls for missing runs.
    static let forgetting: [RunStoreRequirement] = [
        RunStoreRequirement("DR-33: runs that have ended are forgotten, others are not") { trial in
            let store = trial.store
            for key in 0..<4 {
                let run = try store.openTest(id: RunID("w", key: "\(key)"), input: Data("x".utf8))
                try run.finish("a", Data([1]))
                if key < 3 { try run.end(.finished, at: moment(Double(key))) }
                run.close()
            }
            let open = try store.openTest(2, id: RunID("w", key: "0"))
            trial.expect("forgetting a run that is open", throws: .inProgress) {
                _ = try store.forget(open.record.id)
            }
            try trial.expect(
                "how many of another workflow had ended before",
                store.forget(endedBefore: moment(2), of: "other"), is: 0)
            try trial.expect(
                "how many had ended before", store.forget(endedBefore: moment(2), of: "w"), is: 1)
            try trial.expect(
                "the runs that are left", store.runs(of: nil).map(\.id.key), is: ["3", "2", "0"])
            try trial.expect("forgetting by name", store.forget(RunID("w", key: "3")), is: true)
            try trial.expect("forgetting it again", store.forget(RunID("w", key: "3")), is: false)
            let again = try store.openTest(id: RunID("w", key: "1"))
            try trial.expect("the openings of a run made anew", again.record.openings, is: 1)
            try trial.expect("its finished steps", again.record.finished, is: 0)
            try trial.expect("its input", again.record.input, is: nil)
            try trial.expect("its steps", store.steps(of: again.record.id), is: [])
            again.close()
            open.close()
        },
        RunStoreRequirement("a call for a run that doesn't exist throws") { trial in
            let store = trial.store
            trial.expect("its steps", throws: .noSuchRun) { _ = try store.steps() }
            trial.expect("its history", throws: .noSuchRun) { _ = try store.history(of: .test) }
            trial.expect("a result", throws: .noSuchRun) { _ = try store.result(of: "a", in: .test) }
            try trial.expect("forgetting it", store.forget(.test), is: false)
        },
    ]
}
