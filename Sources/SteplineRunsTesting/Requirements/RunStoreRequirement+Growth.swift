import SteplineRuns
import SteplineSupport
import SteplineTesting
import SteplineWorkflow

extension RunStoreRequirement {
    /// Returns the requirement that a map that grows, cut off at random writes, goes on with exactly what was stored.
    ///
    /// Each process finds other elements, so the final list shows the attempts that they come from.
    package static func growth(seed: UInt64) -> RunStoreRequirement {
        RunStoreRequirement(
            "DR-13, DR-73: a map that grows goes on with what the stored elements have found, seed \(seed)"
        ) { trial in
            var random = StableRandom(seed: seed)
            let site = GrowingSite()
            for process in 1...50 {
                let number = 6 + random.below(10)
                let cut = random.below(2) == 0 ? CuttingStore.Cut.before(number) : .after(number)
                // A run that is cut off at its last write has ended.
                let store = try trial.reopened()
                let cutting = CuttingStore(
                    store, process < 50 ? cut : .never, sparing: try endangered(in: store))
                let (workflow, pages) = try site.make(process)
                do { try await workflow.run(in: cutting, key: "k") } catch {
                    guard cutting.isCut else { return trial.find("the run goes on", "\(error)") }
                }
                try site.note(cutting.kept.values, in: trial.reopened(), of: process)
                guard cutting.isCut else { return try site.check(try pages.readValue(), trial) }
            }
        }
    }

    /// Returns the pages that one more interruption would fail.
    private static func endangered(in store: any RunStore) throws -> Set<String> {
        let steps = try store.stepsByName(of: GrowingSite.run).filter {
            $0.key.hasPrefix("page[") && $0.value.state != .finished
        }
        let counts = steps.mapValues { $0.interruptions + ($0.state == .running ? 1 : 0) }
        return Set(counts.filter { $0.value + 1 >= StepOffer.mostInterruptions }.keys)
    }
}

/// A site whose pages link to two pages each, with other names in each process that loads them.
private final class GrowingSite: Sendable {
    static let run = RunID("site", key: "k")
    private static let depth = 5

    /// The process whose result of a page was stored.
    private let stored = Locked<[String: Int]>([:])
    private let storedTwice = Recorder<String>()
    private let loaded = Recorder<String>()

    func make(_ process: Int) throws -> (Workflow, TaskRef<[String]>) {
        let workflow = Workflow("site")
        let loaded = self.loaded
        let pages = try workflow.grow("page", from: [""], key: { $0 }, limit: 3) { page, more in
            loaded.record(page)
            if more.depth < Self.depth { more.add(Self.links(of: page, in: process)) }
            return page
        }
        try workflow.add("report", after: pages) { $0.count }
        return (workflow, pages)
    }

    private static func links(of page: String, in process: Int) -> [String] {
        ["\(page)/\(process)a", "\(page)/\(process)b"]
    }

    /// Notes which pages a process has stored: those that it knows of, and those of the write that it was cut off
    /// after.
    func note(_ writes: [String], in store: any RunStore, of process: Int) throws {
        for write in writes where write.hasPrefix("page[") && write.hasSuffix("] finished") {
            let page = String(write.dropFirst(5).dropLast(10))
            let first = stored.withLock { $0.updateValue(process, forKey: page) }
            if first != nil { storedTwice.record(page) }
        }
        for (name, step) in try store.stepsByName(of: Self.run)
        where name.hasPrefix("page[") && step.state == .finished {
            let page = String(name.dropFirst(5).dropLast())
            stored.withLock { if $0[page] == nil { $0[page] = process } }
        }
    }

    func check(_ pages: [String], _ trial: StoreTrial) throws {
        let stored = stored.withLock { $0 }
        try trial.expect("pages that were stored twice", storedTwice.values, is: [])
        try trial.expect("pages in the result twice", pages.count - Set(pages).count, is: 0)
        var expected: Set<String> = []
        var level = [""]
        for depth in 0...Self.depth {
            expected.formUnion(level)
            guard depth < Self.depth else { break }
            level = level.flatMap { page in stored[page].map { Self.links(of: page, in: $0) } ?? [] }
        }
        try trial.expect("the pages", Set(pages).sorted(), is: expected.sorted())
        try trial.expect("the number of pages", pages.count, is: (1 << (Self.depth + 1)) - 1)
        let strangers = Set(loaded.values).subtracting(expected)
        // A page that was found by an attempt that was never stored isn't loaded.
        try trial.expect("pages that no stored page has found", strangers.sorted(), is: [])
    }
}
