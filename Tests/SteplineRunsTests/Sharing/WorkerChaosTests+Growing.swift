import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Killed workers of a crawl.
extension WorkerChaosTests {
    @Test(
        "DR-13, DR-41, DR-73: three workers that are killed again and again commit each page of a site once")
    func killedCrawl() async throws {
        let size = Chance.isSoak ? 100_000 : 1_500
        let most = Chance.isSoak ? 20 : 6
        let url = try await TestServer.shared().newDatabase()
        let run = GrownRun(size: size)
        let (workflow, numbers) = try run.make()
        let site = try Self.site(of: size, run)
        let workers = Locked(Workers(kills: most))
        // Each place has one worker after the other.
        let places = (0..<3).map { _ in
            Task {
                while let last = workers.withLock({ $0.next(below: size / most) }) {
                    let process = await WorkerProcess(
                        url, seed: UInt64(size), ["find", "\(last)", site.url().absoluteString])
                    // The run may be over by now.
                    if workers.withLock({ $0.add(process) }) { process.leave() }
                    let report = try await process.ended()
                    workers.withLock { $0.note(report) }
                }
            }
        }
        let store = try PostgreSQLRunStore(url, lease: .seconds(3))
        let report = try await workflow.run(
            in: store, key: "k", retryingFailures: false, input: nil, on: .workers
        ) { _ in }
        for process in workers.withLock({ $0.end() }) { process.leave() }
        for place in places { try await place.value }
        let (bodies, kills, isLost) = workers.withLock { ($0.bodies, $0.killed, $0.isLost) }
        #expect(try numbers.readValue().sorted() == run.results && report.executed.count == size + 1)
        let steps = try (store as any RunStore).stepsByName(of: RunID(GrownRun.name, key: "k"))
        #expect(
            steps.count == size + 1 && steps.values.allSatisfy { $0.state == .finished && $0.attempt == 1 })
        #expect(Set(bodies).count == size)
        // The ends of such short bodies are sent together: all that a worker had claimed may run again.
        let claimed = kills * (2 + 2 * 32)
        #expect(bodies.count - size <= claimed || isLost, "\(bodies.count) bodies, \(kills) kills")
        // Every tenth page is loaded by a redirect.
        #expect(Set(site.requests.map(\.target)).count == size + (size + 7) / 10)
        #expect(kills > most / 2)
    }

    /// A site with a page for each number, which links to what the number finds; every tenth is behind a redirect.
    private static func site(of size: Int, _ run: GrownRun) throws -> LoopbackServer {
        let server = try LoopbackServer()
        for number in 1...size {
            let links = run.found(by: number).map { "<a href='/\($0)'>x</a>" }
            let isMoved = number % 10 == 3
            let path = isMoved ? "/moved/\(number)" : "/\(number)"
            server.route(path, .text("<p>\(links.joined())</p>", type: "text/html"))
            if isMoved { server.route("/\(number)", .redirect(to: path)) }
        }
        return server
    }

    /// The workers that were started, and what they have reported.
    private struct Workers {
        /// How many more are to be killed.
        private var kills: Int
        private var random = StableRandom(seed: Chance.seed)
        private var processes: [WorkerProcess] = []
        private var isOver = false
        var bodies: [String] = []
        var killed = 0
        var isLost = false

        init(kills: Int) { self.kills = kills }

        /// The number of the body at which the next worker is killed; nil once the run is over.
        mutating func next(below most: Int) -> Int? {
            kills -= 1
            return isOver ? nil : kills < 0 ? .max : 1 + random.below(most)
        }

        mutating func add(_ process: WorkerProcess) -> Bool {
            processes.append(process)
            return isOver
        }

        mutating func note(_ report: (bodies: [WorkerProcess.Body], hasReportedLoss: Bool, wasKilled: Bool)) {
            bodies += report.bodies.map(\.name)
            if report.wasKilled { killed += 1 }
            isLost = isLost || report.hasReportedLoss
        }

        mutating func end() -> [WorkerProcess] {
            isOver = true
            return processes
        }
    }
}
