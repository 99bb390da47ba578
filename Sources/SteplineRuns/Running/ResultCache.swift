import Foundation
import SteplineSupport
import SteplineWorkflow

/// Finds results of other runs that were made of the same, and says by what others find those of this run.
final class ResultCache: Sendable {
    private struct State {
        /// By what others will find the results of attempts that run now.
        var keys: [String: (attempt: Int, key: String)] = [:]
        var taken: [String: RunID] = [:]
    }

    private let store: any RunStore
    private let run: RunRecord
    private let clock: any StepClock
    private let state = Locked(State())

    init(_ store: any RunStore, for run: RunRecord, clock: any StepClock) {
        self.store = store
        self.run = run
        self.clock = clock
    }

    /// The steps whose results were taken over, and the runs that have made those.
    var taken: [String: RunID] { state.withLock { $0.taken } }

    /// The result of a step that another run has made; if there is none, that of this attempt is for others to take.
    func takeOver(_ part: RunPart, _ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? {
        let facts = part.facts(number)
        guard let codec = facts.codec, !facts.isRecomputed, let key = key(of: part, number, inputs, codec)
        else { return nil }
        // A date after now comes from a clock that was ahead: nothing tells the age of such a result.
        let now = clock.now
        if let found = result(key, endedIn: (now - inputs.lifetime / .seconds(1))...now, codec) {
            state.withLock { $0.taken[facts.name] = found.run }
            return found.result
        }
        state.withLock { state in
            state.taken[facts.name] = nil
            state.keys[facts.name] = (attempt, key)
        }
        return nil
    }

    /// By what others find the result of an attempt; nil if they mayn't have it.
    func key(of step: String, attempt: Int) -> String? {
        state.withLock { state in
            guard !state.keys.isEmpty, let kept = state.keys[step], kept.attempt == attempt else {
                return nil
            }
            state.keys[step] = nil
            return kept.key
        }
    }

    // Whatever is wrong with it, the result can be made; a store that fails will say so when it has to keep that.
    private func result(
        _ key: String, endedIn dates: ClosedRange<Date>, _ codec: ResultCodec
    ) -> (result: TakenResult, run: RunID)? {
        guard let step = try? store.cachedStep(key, endedIn: dates) else { return nil }
        do {
            guard let data = try store.result(of: step.step, in: step.run) else {
                return codec.isNothing ? (TakenResult(()), step.run) : nil
            }
            return (TakenResult(try codec.decode(data)), step.run)
        } catch {
            return nil
        }
    }

    // MARK: Keys

    /// What is the same for equal work, in each process; nil if it can't be known of what the result is made.
    private func key(
        of part: RunPart, _ number: Int, _ inputs: TaskInputs, _ codec: ResultCodec
    ) -> String? {
        var digest = InputDigest()
        digest.add(run.id.workflow)
        digest.add(part.facts(number).name)
        digest.add("\(part.facts(number).version)")
        digest.add(codec.typeName)
        digest.add(run.input ?? Data())
        guard digest.add(inputs, of: part) else { return nil }
        // What is inside another task may read what that one follows, but an element of a map has its part of the list.
        var around = part.around
        while let task = around {
            if !task.isTransparent {
                guard let inputs = task.part.workflow.inputs(of: task.number),
                    digest.add(inputs, of: task.part)
                else { return nil }
            }
            around = task.part.around
        }
        return digest.finish()
    }
}

/// A digest of pieces, each with its length before it.
private struct InputDigest {
    private var hash = SHA256()

    mutating func add(_ text: String) { add(Data(text.utf8)) }

    mutating func add(_ bytes: Data) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
        bytes.withUnsafeBytes { hash.update($0) }
    }

    /// False if there is an input of which nothing can be kept.
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
        if codec == nil || codec?.isNothing == true, value == nil || value is Void { return true }
        guard let codec, let bytes = try? codec.encodeInOrder(value ?? ()) else { return false }
        add(bytes)
        return true
    }

    mutating func finish() -> String { SHA256.digits(hash.finish()) }
}
