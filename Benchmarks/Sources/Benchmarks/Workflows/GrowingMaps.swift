import Dispatch
import Stepline

/// Measures a map that grows to a million elements, each found by another one.
enum GrowingMaps: Benchmark {
    static let name = "growing-maps"
    static let summary =
        "a map that grows to 1,000,000 elements, eight at a time, against a loop by hand; memory"

    private enum Contender: CaseIterable { case grow, loop }

    private static let count = Sizes.of(1_000_000)

    static func run() throws -> [Finding] {
        let turns = try Turns(rounds: 3, of: Contender.allCases) { contender in
            let time = try nanoseconds {
                switch contender {
                case .grow: GraphWorkflow.runToEnd(try make())
                case .loop: runLoop()
                }
            }
            return [time / Double(count)]
        }
        let memory = try Child.numbers("grow-memory").first ?? .nan
        return [
            Finding(
                "an element", turns.median(.grow) ?? .nan, "ns", rival: "a task group of eight and a set, ns",
                rivalValue: turns.median(.loop))
        ] + Kept.memory("memory of an element, a million of them", memory)
    }

    private static func make() throws -> Workflow {
        let workflow = GraphWorkflow.make()
        let count = count
        try workflow.grow("element", from: [1], key: { "\($0)" }, limit: 8) { element, more in
            more.add([2 * element, 2 * element + 1].filter { $0 <= count })
            return element
        }
        return workflow
    }

    /// The same by hand: a list, a set of keys, and eight tasks at a time.
    private static func runLoop() {
        let done = DispatchSemaphore(value: 0)
        let count = count
        Task {
            var (elements, keys, results, next) = ([1], Set(["1"]), [Int](), 0)
            await withTaskGroup(of: (Int, [Int]).self) { group in
                func begin() {
                    guard next < elements.count else { return }
                    let element = elements[next]
                    next += 1
                    group.addTask {
                        (element, [2 * element, 2 * element + 1].filter { $0 <= count })
                    }
                }
                begin()
                var live = 1
                while let (result, found) = await group.next() {
                    results.append(result)
                    for element in found where keys.insert("\(element)").inserted { elements.append(element) }
                    live -= 1
                    while live < 8, next < elements.count {
                        begin()
                        live += 1
                    }
                }
            }
            if results.count != count { say("failed: \(results.count) results") }
            done.signal()
        }
        done.wait()
    }

    /// In a fresh process: how many bytes of memory an element takes, with its number, key and result.
    static func measureMemory() throws {
        let before = processStatus("VmRSS")
        let workflow = try make()
        GraphWorkflow.runToEnd(workflow)
        say("\(Double(processStatus("VmRSS") - before) / Double(count))")
        withExtendedLifetime(workflow) {}
    }
}
