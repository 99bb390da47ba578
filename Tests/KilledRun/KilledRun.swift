import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a random workflow in a store, and is killed at a numbered write: `KilledRun STORE SEED [before|after N]`.
///
/// With `own` behind the seed it has workers run the steps, and waits for its turn if another one is at it.
/// With `work N` behind the seed it is a worker, and killed when its body of that number begins; with `doze N` it is
/// stopped then until it is woken, and leaves once it has heard that it was taken for dead; with `find N SITE` it is
/// killed as well, and runs a map that grows to as many elements as the seed, by the links on the site's pages. `full`
/// behind `work N` has all kinds of tasks. Prints how all tasks stand at the end, a line each. With `abort` for the seed
/// it runs a step that ends its process; `stop N` behind the seed stops it before that write, until it is woken; `full BYTES` behind the
/// seed lets files grow to that size and no further, and `look` for it only looks at the store, as somebody who may not
/// write it.
@main
struct KilledRun {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments[2] == "look" { return try Restrictions.look(at: arguments[1]) }
        if arguments.count > 4, arguments[3] == "full" {
            Restrictions.limitFiles(to: UInt64(arguments[4]) ?? 0)
        }
        let store: any RunStore
        do { store = try open(arguments[1]) } catch { return print("error \(error)") }
        guard let seed = UInt64(arguments[2]) else { return try await fatal(in: store) }
        if arguments.count > 4, ["work", "doze", "find"].contains(arguments[3]) {
            let last = Int(arguments[4]) ?? 1
            let working = Working(
                seed: seed, site: arguments[3] == "find" ? URL(string: arguments[5]) : nil, last: last,
                dozes: arguments[3] == "doze")
            return try await working.run(in: store)
        }
        if arguments.count > 4, arguments[3] == "stop" {
            return await stop(in: store, seed: seed, at: Int(arguments[4]) ?? 1)
        }
        let isOnWorkers = arguments.count > 3 && arguments[3] == "own"
        let words = arguments.dropFirst(isOnWorkers ? 4 : 3)
        var cut = CuttingStore.Cut.never
        if let side = words.first, side != "full", let number = words.dropFirst().first.flatMap({ Int($0) }) {
            cut = side == "before" ? .before(number) : .after(number)
        }
        let cutting = CuttingStore(store, cut) { kill(getpid(), SIGKILL) }
        let workflow = try RandomRun(seed: seed, count: 30).make { print("body \($0)") }
        do {
            _ = try await workflow.run(
                in: cutting, key: "k", retryingFailures: false, input: nil,
                ifInProgress: isOnWorkers ? .wait : .fail, on: isOnWorkers ? .workers : .process
            ) { _ in }
        } catch {
            print("error \(Restrictions.words(for: error))")
        }
        for (name, state) in RandomRun.states(workflow).sorted(by: { $0.key < $1.key }) {
            print("state \(name): \(state)")
        }
        print("writes \(cutting.writes)")
    }

    /// The store in a file, or on a server if it is a URL.
    private static func open(_ place: String) throws -> any RunStore {
        guard place.contains("://") else { return try .file(place, durability: .normal) }
        let words = CommandLine.arguments
        if words.contains("find") { return try .postgreSQL(place, lease: .seconds(3)) }
        let isShort = words.contains("stop") || words.contains("doze")
        return try .postgreSQL(place, lease: isShort ? .milliseconds(500) : .seconds(15))
    }

    /// Stops before a numbered write until somebody wakes it up, and goes on.
    private static func stop(in store: any RunStore, seed: UInt64, at number: Int) async {
        let watched = WatchedStore(store) { write, _ in
            guard write == number else { return }
            print("stopping \(getpid())")
            fflush(nil)
            // This very thread goes no further.
            raise(SIGSTOP)
        }
        do {
            try await RandomRun(seed: seed, count: 30).make().run(in: watched, key: "k")
        } catch {
            print("error \(Restrictions.words(for: error))")
        }
    }

    /// A body that ends its process, beside one that doesn't.
    private static func fatal(in store: any RunStore) async throws {
        let workflow = Workflow("fatal")
        try workflow.add("harmless") { 1 }
        try workflow.add("deadly") { _ = kill(getpid(), SIGKILL) }
        do {
            try await workflow.run(in: store, key: "k")
        } catch {
            print("\(error)")
        }
    }
}
