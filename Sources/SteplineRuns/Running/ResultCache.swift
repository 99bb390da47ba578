import Foundation
import SteplineSupport
import SteplineWorkflow

/// Finds reusable results of other runs, and computes the cache keys for results of this run.
///
/// A key is a digest of everything that the result is computed from: workflow, step, version, result type, run input
/// and all prerequisite results. Called on the threads of the bodies, before each body starts; `State` has a lock.
final class ResultCache: Sendable {
    private struct State {
        /// The cache keys of attempts that are running.
        var keys: [String: (attempt: Int, key: String)] = [:]
        /// The steps with reused results, and the runs that produced these.
        var taken: [String: RunID] = [:]
    }

    private let store: any RunStore
    private let workflow: String
    private let input: Data?  // of the run
    private let clock: any StepClock
    private let state = Locked(State())

    init(_ store: any RunStore, for workflow: String, input: Data?, clock: any StepClock) {
        self.store = store
        self.workflow = workflow
        self.input = input
        self.clock = clock
    }

    /// The steps with reused results, and the runs that produced these.
    var taken: [String: RunID] { state.withLock { $0.taken } }  // a snapshot

    /// Returns a reusable result; if none exists, records the key under which this attempt's result will be stored.
    func takeOver(_ part: RunPart, _ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? {
        let facts = part.facts(number)
        let outer: (RunPart, Int) -> TaskInputs? = { $0.workflow.inputs(of: $1) }
        guard let codec = facts.codec, let key = key(of: part, number, inputs, outer: outer) else {
            return nil
        }
        if let found = result(key, inputs.lifetime, codec) {
            state.withLock { $0.taken[facts.name] = found.run }
            return found.result
        }
        // An earlier attempt may have reused a result. This attempt computes its own.
        state.withLock { state in
            state.taken[facts.name] = nil
            state.keys[facts.name] = (attempt, key)
        }
        return nil
    }

    /// Returns the result that an attempt with these inputs would reuse, and the run that produced the result.
    ///
    /// Records nothing. `outer` returns the inputs of the tasks around the step. The result of the run `own` doesn't
    /// count, which ended at a known date.
    func find(
        _ part: RunPart, _ number: Int, _ inputs: TaskInputs, except own: (run: RunID, ended: Date)?,
        outer: (RunPart, Int) -> TaskInputs?
    ) -> (result: TakenResult, run: RunID)? {
        guard let codec = part.facts(number).codec, let key = key(of: part, number, inputs, outer: outer)
        else { return nil }
        let found = result(key, inputs.lifetime, codec)
        guard let own, found?.run == own.run else { return found }
        // The latest result is the own one: look before it.
        return result(key, inputs.lifetime, codec, before: own.ended)
    }

    /// Removes and returns the cache key of an attempt; nil if other runs may not reuse the result.
    func key(of step: String, attempt: Int) -> String? {
        state.withLock { state in
            // Most runs have no cacheable steps: check that first.
            guard !state.keys.isEmpty, let kept = state.keys[step], kept.attempt == attempt else {
                return nil
            }
            state.keys[step] = nil
            return kept.key
        }
    }

    // Errors are cache misses: the step can compute the result. A failing store reports its error at the next write.
    private func result(
        _ key: String, _ lifetime: Duration, _ codec: ResultCodec, before end: Date = .distantFuture
    ) -> (result: TakenResult, run: RunID)? {
        // Exclude dates in the future: they come from a clock that was ahead, and such a result's age is unknown.
        let now = clock.now
        let first = now - max(lifetime, .zero) / .seconds(1)
        let last = min(now, Date(timeIntervalSinceReferenceDate: end.timeIntervalSinceReferenceDate.nextDown))
        guard first <= last, let step = try? store.cachedStep(key, endedIn: first...last) else { return nil }
        do {
            guard let data = try store.result(of: step.step, in: step.run) else {
                // A result of type Void has no stored bytes.
                return codec.isNothing ? (TakenResult(()), step.run) : nil
            }
            return (TakenResult(try codec.restore(data)), step.run)
        } catch {
            return nil
        }
    }

    // MARK: Keys

    /// Returns a digest that is equal for equal work in every process; nil if an input can't be encoded.
    private func key(
        of part: RunPart, _ number: Int, _ inputs: TaskInputs, outer: (RunPart, Int) -> TaskInputs?
    ) -> String? {
        let facts = part.facts(number)
        // Recomputed results aren't stored, so there is nothing to reuse.
        guard let codec = facts.codec, !facts.isRecomputed else { return nil }
        var digest = InputDigest()
        digest.add(workflow)
        digest.add(facts.name)
        digest.add("\(facts.version)")
        digest.add(codec.typeName)
        digest.add(input ?? Data())
        guard digest.add(inputs, of: part) else { return nil }
        // A body inside a subworkflow may read results of the outer task's prerequisites: include these inputs.
        // A map is transparent: an element already includes its part of the list.
        var around = part.around
        while let task = around {
            if !task.isTransparent {
                guard let inputs = outer(task.part, task.number),
                    digest.add(inputs, of: task.part)
                else { return nil }
            }
            around = task.part.around
        }
        return digest.finish()
    }
}

/// A digest of length-prefixed fields.
///
/// The prefix keeps ("a", "bc") and ("ab", "c") apart.
private struct InputDigest {
    private var hash = SHA256()

    mutating func add(_ text: String) { add(Data(text.utf8)) }

    mutating func add(_ bytes: Data) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
        bytes.withUnsafeBytes { hash.update($0) }
    }

    /// Adds the inputs of a task; returns false if one of them can't be encoded.
    mutating func add(_ inputs: TaskInputs, of part: RunPart) -> Bool {
        for (number, value) in inputs.results {
            let facts = part.facts(number)
            add(facts.name)
            guard add(value, facts.codec) else { return false }
        }
        guard let element = inputs.element else { return true }
        return add(element, ResultCodec(of: type(of: element)))
    }

    private mutating func add(_ value: (any Sendable)?, _ codec: ResultCodec?) -> Bool {
        // Prerequisites without a result contribute only their names.
        if codec == nil || codec?.isNothing == true, value == nil || value is Void { return true }
        guard let codec, let bytes = try? codec.encodeInOrder(value ?? ()) else { return false }
        add(bytes)
        return true
    }

    mutating func finish() -> String { SHA256.digits(hash.finish()) }
}
