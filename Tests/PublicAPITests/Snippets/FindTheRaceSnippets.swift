import Stepline
import SteplineTesting
import Synchronization
import Testing

// The snippets of the page on races, compiled and run.

actor Prices {
    private var price: Int?
    private(set) var loads = 0

    func price(from load: () async throws -> Int) async throws -> Int {
        if let price { return price }
        let loaded = try await load()
        loads += 1
        price = loaded
        return loaded
    }
}

@Sendable private func loadPrice() async throws -> Int {
    try await SystemClock.shared.sleep(for: .seconds(1))
    return 7
}

@Suite("Find the race", .timeLimit(.minutes(5)))
struct FindTheRaceSnippets {
    @Test("hours of waiting take no time")
    func night() async throws {
        let simulation = Simulation(seed: 42)
        let total = try await simulation.run { simulation in
            let workflow = Workflow("night")
            let load = try workflow.add("load") {
                try await SystemClock.shared.sleep(for: .seconds(3600))
                return 20
            }
            let sum = try workflow.add("sum", after: load) { $0 + 22 }
            try await workflow.run()
            return try await sum.value
        }
        #expect(total == 42 && simulation.clock.uptime == .seconds(3600))
    }

    @Test("a cache that is filled twice")
    func cache() async throws {
        let failure = await #expect(throws: ExplorationFailure.self) {
            try await explore(seeds: 1...1000) { simulation in
                let prices = Prices()
                let workflow = Workflow("offers")
                try workflow.add("list") { try await prices.price(from: loadPrice) }
                try workflow.add("mail") { try await prices.price(from: loadPrice) }
                try await workflow.run()
                simulation.expect(await prices.loads == 1, "the price is loaded once")
            }
        }
        let found = try #require(failure)
        #expect(
            found.log == """
                +0.0 s  ‘list’ begins
                +0.0 s  ‘mail’ begins
                +1.0 s  ‘list’ ends
                +1.0 s  ‘mail’ ends
                """)
        #expect(found.description.hasPrefix("the price is loaded once (") && found.foreign.isEmpty)
        #expect(found.description.hasSuffix(#"to see it again: Simulation(replaying: "1:1:")"#))

        try await explore(seeds: 1...1000) { simulation in
            let prices = Prices()
            let workflow = Workflow("offers")
            let list = try workflow.add("list") { try await prices.price(from: loadPrice) }
            try workflow.add("mail", after: list) { _ in try await prices.price(from: loadPrice) }
            try await workflow.run()
            simulation.expect(await prices.loads == 1, "the price is loaded once")
        }
    }

    @Test("a cleanup before the last write")
    func cleanup() async throws {
        @Sendable func export(_ simulation: Simulation, cleanupWaitsForAll: Bool) async throws {
            let folder = Mutex<Set<String>>(["a", "b"])
            let lost = Mutex<[String]>([])
            let workflow = Workflow("export")
            let parts = try ["a", "b"].map { part in
                try workflow.add(part) {
                    if !folder.withLock({ $0.contains(part) }) { lost.withLock { $0.append(part) } }
                }
            }
            let before = cleanupWaitsForAll ? parts : [parts[0]]
            try workflow.add("clean up", following: before) { folder.withLock { $0 = [] } }
            try await workflow.run()
            simulation.expect(lost.withLock { $0.isEmpty }, "nothing is lost")
        }

        await #expect(throws: ExplorationFailure.self) {
            try await exploreAll { try await export($0, cleanupWaitsForAll: false) }
        }
        try await exploreAll { try await export($0, cleanupWaitsForAll: true) }
        await #expect(throws: ExplorationFailure.self) {
            try await explore { try await export($0, cleanupWaitsForAll: false) }
        }
    }

    @Test("a retry that pays twice")
    func retry() async throws {
        @Sendable func order(_ simulation: Simulation, paymentHasKey: Bool) async throws {
            let payments = Mutex<[String]>([])
            let answersLate = Mutex(true)
            var options = TaskOptions()
            options.timeout = .seconds(30)
            options.retry = .constant(attempts: 3, delay: .seconds(60), when: { _ in true })
            let workflow = Workflow("order")
            try workflow.add("pay", options: options) {
                payments.withLock { if !paymentHasKey || !$0.contains("order 1") { $0.append("order 1") } }
                let isLate = answersLate.withLock { late in
                    defer { late = false }
                    return late
                }
                if isLate { try await SystemClock.shared.sleep(for: .seconds(45)) }
            }
            try await workflow.run()
            simulation.expect(payments.withLock { $0.count } == 1, "it is paid once")
        }

        await #expect(throws: ExplorationFailure.self) {
            try await explore { try await order($0, paymentHasKey: false) }
        }
        try await explore { try await order($0, paymentHasKey: true) }
    }

    @Test("faults")
    func faults() async throws {
        try await explore(seeds: 1...200) { simulation in
            simulation.faults = [
                .fail(task: "send", attempt: 1, afterBody: true), .delay(task: "load", by: .seconds(90)),
                .random(rate: 0.1),
            ]
            let sent = Mutex(Set<String>())
            var options = TaskOptions()
            options.retry = .constant(attempts: 10, delay: .seconds(60), when: { _ in true })
            let workflow = Workflow("letters")
            let load = try workflow.add("load", options: options) { "letter 1" }
            try workflow.add("send", after: load, options: options) { letter in
                sent.withLock { _ = $0.insert(letter) }
            }
            try await workflow.run()
            simulation.expect(sent.withLock { $0.count } == 1, "it is sent once")
        }
    }

    @Test("messages at any moment")
    func messages() async throws {
        try await explore(seeds: 1...200) { simulation in
            let workflow = Workflow("two")
            let one = try workflow.add("one") { 1 }
            let two = try workflow.add("two", after: one) { $0 + 1 }
            simulation.atSomeMoment("cancel") { workflow.cancel() }
            _ = try? await workflow.run()
            simulation.expect(!two.task.isFinished || one.task.isFinished)
        }
    }
}
