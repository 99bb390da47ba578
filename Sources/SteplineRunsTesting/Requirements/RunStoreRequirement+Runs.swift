import Foundation
import SteplineRuns

extension RunStoreRequirement {
    /// Requirements on creating, finding, listing and ending runs.
    static let runs: [RunStoreRequirement] = [
        RunStoreRequirement("a run is made, kept and found again") { trial in
            let store = trial.store
            try trial.expect("a run that nobody has made", store.run(.test), is: nil)
            try trial.expect("the runs of an empty store", store.runs(of: nil), is: [])
            let run = try store.openTest(input: Data("in".utf8))
            let made = RunRecord(
                id: .test, created: moment(), ending: nil, ended: nil, owner: .test(), isOpen: true,
                openings: 1, finished: 0, failed: 0, input: Data("in".utf8))
            try trial.expect("the run that was opened", run.record, is: made)
            try trial.expect("the run as the store tells of it", store.run(.test), is: made)
            try run.end(.finished, at: moment(9))
            var again = made
            again.ending = .finished
            again.ended = moment(9)
            again.owner = .test(2)
            again.openings = 2
            let next = try store.openTest(2, input: Data("other".utf8))
            try trial.expect("the run that was opened again, with other input", next.record, is: again)
            next.close()
        },
        RunStoreRequirement("DR-74: a created run waits, until the first process opens it") { trial in
            let store = trial.store
            let input = Data("in".utf8)
            try trial.expect(
                "the creation", store.create(.test, input: input, by: .test(), at: moment()), is: true)
            var run = RunRecord(
                id: .test, created: moment(), ending: nil, ended: nil, owner: .test(), isOpen: false,
                openings: 0, finished: 0, failed: 0, input: input)
            try trial.expect("the run", store.run(.test), is: run)
            try trial.expect("its state", store.run(.test)?.state, is: .waiting)
            try trial.expect(
                "a second creation", store.create(.test, input: nil, by: .test(3), at: moment(1)), is: false)
            try trial.expect("the run after that", store.runs(of: nil), is: [run])
            let open = try store.openTest(2, input: Data("other".utf8))
            run.owner = .test(2)
            run.openings = 1
            run.isOpen = true
            try trial.expect("the run that was opened", open.record, is: run)
            try trial.expect(
                "a creation while it is open", store.create(.test, input: nil, by: .test(3), at: moment(1)),
                is: false)
            open.close()
            try trial.expect("the state without an owner", store.run(.test)?.state, is: .interrupted)
            try trial.expect("the removal", store.forget(.test), is: true)
            _ = try store.create(.test, input: nil, by: .test(4), at: moment(2))
            try trial.expect("the removal of a waiting run", store.forget(.test), is: true)
        },
        RunStoreRequirement("DR-13: kept results are there when the store is opened again") { trial in
            let run = try trial.store.openTest(input: Data("in".utf8))
            try run.finish("a", Data([1]))
            try run.finish("a", attempt: 2, Data([2]))
            _ = try trial.store.send(.fulfil(condition: "b", Data([3])), to: .test, at: moment())
            run.close()
            let again = try trial.reopened()
            try trial.expect("the run", again.run(.test), is: trial.store.run(.test))
            try trial.expect("the finished steps", again.run(.test)?.finished, is: 1)
            try trial.expect("the steps", again.steps().map(\.attempt), is: [2])
            try trial.expect("the history", again.history(of: .test).map(\.attempt), is: [1])
            try trial.expect("the result", again.result(of: "a", in: .test), is: Data([2]))
            let next = try again.openTest(2)
            try trial.expect(
                "the signals", again.signals(of: .test), is: [.fulfil(condition: "b", Data([3]))])
            next.close()
        },
        RunStoreRequirement("DR-19: an ending stands until a step is written again") { trial in
            let store = trial.store
            try store.openTest().end(.cancelled("no time"), at: moment(5))
            try store.openTest(2).close()
            try trial.expect("the ending", store.run(.test)?.ending, is: .cancelled("no time"))
            let run = try store.openTest(3)
            _ = try run.write([])
            try trial.expect(
                "the ending after no changes", store.run(.test)?.ending, is: .cancelled("no time"))
            try run.finish("a", token: 3)
            try trial.expect("the ending after a change", store.run(.test)?.ending, is: nil)
            try trial.expect("when it ended, after a change", store.run(.test)?.ended, is: nil)
            run.close()
        },
        RunStoreRequirement("runs are listed newest first, also after the clock was set back") { trial in
            for key in 0..<5 {
                let id = RunID("w\(key % 2)", key: "\(key)")
                let time = moment(Double(-key))
                try trial.store.open(id, input: nil, as: .test(), at: time).close()
            }
            // Opening an existing run must not change its position in the list.
            try trial.store.openTest(2, id: RunID("w0", key: "0")).close()
            let keys = { try trial.store.runs(of: $0).map(\.id.key) }
            try trial.expect("the runs", keys(nil), is: ["4", "3", "2", "1", "0"])
            try trial.expect("the runs of one workflow", keys("w1"), is: ["3", "1"])
            try trial.expect("the runs of a workflow that has none", keys("w"), is: [])
        },
    ]
}
