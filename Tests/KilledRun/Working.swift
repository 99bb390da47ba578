import Foundation
import RunsTestSupport
import SteplinePipeline
import SteplineRuns
import SteplineRunsTesting
import SteplineSteps
import SteplineSupport
import SteplineWorkflow
import SteplineXML

/// Runs steps of a random workflow as a worker, until it is asked to leave, or something happens to it.
struct Working {
    let seed: UInt64
    /// The site of a map that grows by the links on pages, to as many elements as the seed; nil for a random workflow.
    let site: URL?
    /// The number of the body at which it is killed or stopped.
    let last: Int
    /// Whether it is stopped until it is woken, rather than killed.
    let dozes: Bool

    /// Says which process it is, and then of each body when it began: `body NAME SECONDS`; one that dozes, when it
    /// does.
    func run(in store: any RunStore) async throws {
        guard let store = store as? any SharedRunStore else { return say("error not shared") }
        let begun = Locked(0)
        let leaving = Locked<StepWorker?>(nil)
        // One that dozes has one slot: what it begins when it wakes up, it hasn't begun before.
        let variety: RandomRun.Variety = CommandLine.arguments.contains("full") ? .full : .steady
        // A dozing worker leaves once it was woken without work; other workers may wait long for a run to begin.
        let settings = WorkerSettings(slots: dozes ? 1 : 2, idle: .seconds(dozes ? 15 : 600))
        let worker = StepWorker(of: site == nil ? "random" : GrownRun.name, in: store, settings) { _ in
            let began: @Sendable (String) -> Void = { name in
                let number = begun.withLock { begun in
                    begun += 1
                    return begun
                }
                if !dozes || number > last { say("body \(name) \(Date().timeIntervalSince1970)") }
                if number == last { fall() }
            }
            if let site {
                return try GrownRun(size: Int(seed)).make(began, finding: Self.links(on: site)).workflow
            }
            return try RandomRun(seed: seed, count: 30, variety).make(began)
        } tell: { news in
            // One that a busy machine has held up too long before it dozes goes on.
            guard dozes, begun.withLock({ $0 >= last }), case .lost = news else { return }
            say("lost")
            leaving.withLock { $0 }?.leave()
        }
        leaving.withLock { $0 = worker }
        let signals = SignalWatch { _ in worker.leave() }
        defer { signals.stop() }
        if !dozes { say("working \(getpid())") }
        try await worker.run()
    }

    /// Returns a body that loads the page of a number, and finds the numbers of the pages that it links to.
    private static func links(on site: URL) -> @Sendable (Int) async throws -> [Int] {
        { number in
            let url = site.appending(path: "\(number)")
            let page = try await Pipeline.loadingHTML(url).run()
            return page.links(at: url).compactMap { Int($0.url.lastPathComponent) }
        }
    }

    private func fall() {
        guard dozes else { return _ = kill(getpid(), SIGKILL) }
        say("stopping \(getpid())")
        raise(SIGSTOP)
    }

    /// Says something that is heard even if the process is killed at once.
    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
