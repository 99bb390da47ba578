import SteplineTesting
import Synchronization
import Testing

/// Rules that engines have had, each written down as small as it can be, with the mistake and without.
///
/// Each mistake is an order of events that hardly ever happens by itself; a search by seeds must find it, and must find
/// nothing in the rule that took its place.
@Suite("Mistakes in the order of events", .timeLimit(.minutes(3)))
struct OldRuleTests {
    private static func isFound(
        _ scenario: @escaping @Sendable (Simulation, _ isMended: Bool) async throws -> Void
    ) async throws -> Bool {
        try await explore(seeds: 1...1000) { try await scenario($0, true) }
        do {
            try await explore(seeds: 1...1000) { try await scenario($0, false) }
            return false
        } catch let failure as ExplorationFailure {
            // The failure is found again.
            let again = try #require(Simulation(replaying: failure.replay))
            do { try await again.run { try await scenario($0, false) } } catch { return true }
            return false
        }
    }

    // MARK: A retry leaves older results

    /// `price` fails at first, `safe` makes -1 of that, `text` is made of `safe`.
    private final class Results: Sendable {
        private struct State {
            var price: Int?
            var hasFailed = false
            var safe: Int?
            var text: String?
        }

        private let state = Mutex(State())
        private let undoesAll: Bool

        init(undoesAll: Bool) { self.undoesAll = undoesAll }

        /// Does everything that can be done; others may come in between.
        func work() async {
            while step() {
                await Task.yield()
            }
        }

        /// Does the next thing that can be done; returns false if all is done.
        private func step() -> Bool {
            state.withLock { state in
                if state.price == nil, !state.hasFailed {
                    state.hasFailed = true
                } else if state.safe == nil {
                    state.safe = state.price ?? -1
                } else if state.text == nil {
                    state.text = "price is \(state.safe ?? 0)"
                } else {
                    return false
                }
                return true
            }
        }

        /// Tries the failed one again, and undoes what was made of the failure: the mistake is to look one task far.
        func retry() {
            state.withLock { state in
                guard state.hasFailed, state.price == nil else { return }
                state.price = 42
                state.safe = nil
                if undoesAll { state.text = nil }
            }
        }

        var isStale: Bool { state.withLock { $0.price == 42 && $0.text != "price is 42" } }
    }

    @Test("a retry that leaves what was made of an older result")
    func staleRetry() async throws {
        let isFound = try await Self.isFound { simulation, isMended in
            let results = Results(undoesAll: isMended)
            simulation.atSomeMoment("retry") { results.retry() }
            await results.work()
            try await simulation.clock.sleep(for: .seconds(1))
            await results.work()
            simulation.expect(!results.isStale, "results of an older result are made again")
        }
        #expect(isFound)
    }

    // MARK: Two bodies at once

    /// A task whose body goes on for a while after it was cancelled.
    private final class Attempts: Sendable {
        private struct State {
            var isLive = false
            var wantsBody = false
            var bodies = 0
            var most = 0
        }

        private let state = Mutex(State())
        private let waitsForOldBody: Bool

        init(waitsForOldBody: Bool) { self.waitsForOldBody = waitsForOldBody }

        var most: Int { state.withLock { $0.most } }

        func cancel() { state.withLock { $0.isLive = false } }

        func retry() {
            state.withLock { state in
                guard !state.isLive else { return }
                state.isLive = true
                state.wantsBody = true
            }
        }

        /// Runs bodies for as long as some are wanted; the mistake is to look at the state alone.
        func work() async {
            while begin() {
                for _ in 1...3 { await Task.yield() }
                state.withLock { $0.bodies -= 1 }
            }
        }

        private func begin() -> Bool {
            state.withLock { state in
                guard state.wantsBody, !waitsForOldBody || state.bodies == 0 else { return false }
                state.wantsBody = false
                state.bodies += 1
                state.most = max(state.most, state.bodies)
                return true
            }
        }
    }

    @Test("a task that was cancelled and is tried again has two bodies")
    func twoBodies() async throws {
        let isFound = try await Self.isFound { simulation, isMended in
            let attempts = Attempts(waitsForOldBody: isMended)
            attempts.retry()
            simulation.atSomeMoment("cancel") { attempts.cancel() }
            simulation.atSomeMoment("retry") { attempts.retry() }
            await withDiscardingTaskGroup { group in
                for _ in 1...2 {
                    group.addTask {
                        for _ in 1...6 {
                            await attempts.work()
                            await Task.yield()
                        }
                    }
                }
            }
            simulation.expect(attempts.most <= 1, "one body at a time")
        }
        #expect(isFound)
    }

    // MARK: A callback behind a cancel

    /// Something that ends, and tells of it a moment later.
    private final class Ending: Sendable {
        private let isCancelled = Mutex(false)
        private let looksAgain: Bool

        init(looksAgain: Bool) { self.looksAgain = looksAgain }

        func cancel() { isCancelled.withLock { $0 = true } }

        /// Ends, and calls if it wasn't cancelled; the mistake is to ask once, when it ends.
        func end(_ call: @Sendable () -> Void) async {
            guard !isCancelled.withLock({ $0 }) else { return }
            await Task.yield()
            if looksAgain, isCancelled.withLock({ $0 }) { return }
            call()
        }
    }

    @Test("a callback that comes when cancel() has returned")
    func lateCallback() async throws {
        let isFound = try await Self.isFound { simulation, isMended in
            let ending = Ending(looksAgain: isMended)
            let cancelled = Mutex(false)
            simulation.atSomeMoment("cancel") {
                ending.cancel()
                cancelled.withLock { $0 = true }
            }
            await ending.end {
                simulation.expect(!cancelled.withLock { $0 }, "nothing is called behind cancel()")
            }
        }
        #expect(isFound)
    }

    // MARK: Roots in turn

    /// Bodies that wait for a worker.
    private final class Ready: Sendable {
        private let bodies: Mutex<[@Sendable () async -> Void]>

        init(_ bodies: [@Sendable () async -> Void]) { self.bodies = Mutex(bodies) }

        /// Has another one come first.
        func turn() { bodies.withLock { $0.reverse() } }

        /// Works as one worker does: a body after the other.
        func work() async {
            await Task.yield()
            while let body = bodies.withLock({ $0.popLast() }) { await body() }
        }
    }

    @Test("two roots of which one waits for the other, and a worker that calls no second one")
    func rootsInTurn() async throws {
        let isFound = try await Self.isFound { _, isMended in
            let gate = Gate()
            let ready = Ready([{ await gate.wait() }, { gate.open() }])
            await withDiscardingTaskGroup { group in
                // Which of them comes first is a matter of luck.
                group.addTask { ready.turn() }
                group.addTask { await ready.work() }
                // The mistake is to call nobody for what is ready beside the first.
                if isMended { group.addTask { await ready.work() } }
            }
        }
        #expect(isFound)
    }
}
