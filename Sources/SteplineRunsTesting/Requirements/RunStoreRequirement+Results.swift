import Foundation
import SteplineRuns

extension RunStoreRequirement {
    /// What steps leave, and how it is handed out.
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
        RunStoreRequirement("what a body throws comes out, and it may ask the store and write") { trial in
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
