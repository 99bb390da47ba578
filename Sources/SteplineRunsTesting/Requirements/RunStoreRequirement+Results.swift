import Foundation
import SteplineRuns

extension RunStoreRequirement {
    /// Requirements on the results of steps.
    static let results: [RunStoreRequirement] = [
        RunStoreRequirement("DR-21: results of any size come back as they were") { trial in
            let run = try trial.store.openTest()
            for size in [0, 1, 7, 8, 65_536, 65_537, 100_000, 5_000_000] {
                let result = bytes(size)
                try run.finish("step \(size)", result)
                let isSame = try run.result(of: "step \(size)") == result
                try trial.expect("whether \(size) bytes come back", isSame, is: true)
                try trial.expect(
                    "the size of the result", trial.store.step("step \(size)")?.resultSize, is: size)
            }
            try run.finish("none")
            try trial.expect("no result", run.result(of: "none"), is: nil)
            try trial.expect("the size of no result", trial.store.step("none")?.resultSize, is: nil)
            run.close()
        },
        RunStoreRequirement("DR-60: a result is read by its type, and an error says what is there instead") {
            trial in
            let run = try trial.store.openTest()
            try run.finish("total", Data("42".utf8))
            try run.finish("text", Data("\"x\"".utf8))
            try run.finish("none")
            _ = try run.write([StepChange(.began, of: "open", attempt: 1, token: 1, at: moment())])
            _ = try run.write([StepChange(.failed(.test), of: "bad", attempt: 1, token: 1, at: moment())])
            let store = try trial.reopened()
            try trial.expect("a number", store.result(of: "total", in: .test, as: Int.self), is: 42)
            try trial.expect("a wider number", store.result(of: "total", in: .test, as: Double.self), is: 42)
            try trial.expect("one step", store.step("total", of: .test)?.resultSize, is: 2)
            try trial.expect("no step", store.step("Total", of: .test), is: nil)
            try store.result(of: "none", in: .test, as: Void.self)
            trial.expect("another type", throws: .wrongType) {
                _ = try store.result(of: "text", in: .test, as: Int.self)
            }
            trial.expect("no result", throws: .wrongType) {
                _ = try store.result(of: "none", in: .test, as: Int.self)
            }
            trial.expect("no step", throws: .noSuchStep) {
                _ = try store.result(of: "other", in: .test, as: Int.self)
            }
            trial.expect("a step that runs", throws: .notFinished) {
                _ = try store.result(of: "open", in: .test, as: Int.self)
            }
            let failed = trial.expect("a failed step", throws: .notFinished) {
                _ = try store.result(of: "bad", in: .test, as: Int.self)
            }
            let failure = (failed?.underlying as? KeptFailure)?.failure
            try trial.expect("the failure of that step", failure, is: .test)
            trial.expect("no run", throws: .noSuchRun) {
                _ = try store.result(of: "total", in: RunID("mirror", key: "?"), as: Int.self)
            }
            run.close()
        },
        RunStoreRequirement("an error of the body is thrown, and the body may read and write the store") {
            trial in
            struct Enough: Error {}
            let store = trial.store
            let run = try store.openTest()
            for step in ["b", "a", "B", "é"] { try run.finish(step, Data(step.utf8)) }
            let names = try store.steps().map(\.name)
            try trial.expect("the steps, by the bytes of their names", names, is: ["B", "a", "b", "é"])
            var seen: [String] = []
            var wasThrown = false
            do {
                try run.forEachStep { step in
                    let result = try run.result(of: step.name)
                    try trial.expect("a result, from the body", result, is: Data(step.name.utf8))
                    try trial.expect("a write from it", run.finish(step.name, attempt: 2), is: true)
                    seen.append(step.name)
                    if seen.count == 2 { throw Enough() }
                }
            } catch is Enough {
                wasThrown = true
            }
            try trial.expect("whether what was thrown came out", wasThrown, is: true)
            try trial.expect("the steps until then", seen, is: ["B", "a"])
            try trial.expect("the history", store.history(of: .test).map(\.name), is: ["B", "a"])
            run.close()
        },
    ]
}
