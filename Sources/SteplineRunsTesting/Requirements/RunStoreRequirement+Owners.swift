import Dispatch
import SteplineRuns
import SteplineSupport

extension RunStoreRequirement {
    /// Requirements on the owner of a run.
    static let owners: [RunStoreRequirement] = [
        RunStoreRequirement("DR-18: a run has one owner, and a second is told who it is") { trial in
            let store = trial.store
            let run = try store.openTest()
            for other in [store, try trial.reopened()] {
                let error = trial.expect("a second owner", throws: .inProgress) { _ = try other.openTest(2) }
                try trial.expect("whose it is", error?.owner, is: .test())
                try trial.expect("whether it is open", other.run(.test)?.isOpen, is: true)
                try trial.expect(
                    "whether it is listed as open", other.runs(of: nil).map(\.isOpen), is: [true])
            }
            try trial.expect("a write of the first owner", run.finish("a"), is: true)
            run.close()
            try trial.expect("whether it is open when it was closed", store.run(.test)?.isOpen, is: false)
            try store.openTest(3).close()
        },
        RunStoreRequirement("DR-18: an owner that is released gives its run up") { trial in
            do {
                let run = try trial.store.openTest()
                try trial.expect("whether it is open", trial.store.run(run.record.id)?.isOpen, is: true)
            }
            try trial.expect("whether it is open then", trial.store.run(.test)?.isOpen, is: false)
            let next = try trial.store.openTest(2)
            try trial.expect("the run as its next owner sees it", trial.store.run(.test), is: next.record)
            next.close()
        },
        RunStoreRequirement("DR-18: of many that want a run at once one gets it") { trial in
            let reopening = trial.reopening
            let winners = Locked<[any OpenRun]>([])
            let others = Locked<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do {
                    let run = try reopening().openTest(UInt64(number + 1))
                    winners.withLock { $0.append(run) }
                } catch let error as RunStoreError {
                    others.withLock { $0.append("\(error.code)") }
                } catch {
                    others.withLock { $0.append("\(error)") }
                }
            }
            try trial.expect("those that got it", winners.withLock(\.count), is: 1)
            try trial.expect(
                "errors of the other owners", others.withLock { $0 },
                is: Array(repeating: "\(RunStoreError.Code.inProgress)", count: 7))
        },
        RunStoreRequirement("DR-11: an owner that has given a run up can't write to it") { trial in
            let store = trial.store
            let old = try store.openTest()
            old.close()
            trial.expect("a write after closing", throws: .ownershipLost) { try old.finish("a") }
            let new = try store.openTest(2)
            trial.expect("a write beside the next owner", throws: .ownershipLost) { try old.finish("a") }
            trial.expect("an end beside the next owner", throws: .ownershipLost) {
                try old.end(.failed, at: moment())
            }
            old.close()
            try trial.expect(
                "whether the next owner has it still", store.run(.test)?.isOpen, is: true)
            try trial.expect("writes of the old owner", store.steps(), is: [])
            try trial.expect("a write of the next owner", new.finish("a", token: 2), is: true)
            new.close()
        },
    ]
}
