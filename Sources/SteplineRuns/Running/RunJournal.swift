import Foundation
import SteplineEngine
import SteplineSupport
import SteplineWorkflow

/// The journal of one workflow of a run: converts events into changes of steps, and passes them to the writer.
///
/// A run has one journal for each workflow, subworkflows and maps included. All of them share one `RunWriter`.
/// The workflow calls `record` on the thread of the event, usually the thread that ran the body. Encoding a
/// result therefore runs in parallel. An awaited entry blocks its task, not its thread, until the writer reports
/// the entry as stored. Entries of stale attempts are harmless: the store refuses these.
///
/// | event | in this process | body run by a worker |
/// |---|---|---|
/// | begin | written with the next awaited change | not written; the offer records the claim |
/// | result | written here | written by the worker, except that of a map over a result |
/// | failure, retry, cancellation | written here | written here, with the worker's name |
final class RunJournal: TaskJournal {
    private let id: RunID
    private let part: RunPart
    private let writer: RunWriter
    private let signals: @Sendable (RunSignal) -> Void  // stores signals of this process
    private let token: UInt64  // of this opening
    private let clock: any StepClock
    /// The interruption counts at the time of opening.
    private let interruptions: Interruptions
    private let elements: KeptElements  // stored states of map elements
    private let cache: ResultCache  // keys of reusable results
    /// The connection to workers; nil if the bodies of this workflow run in this process.
    private let offers: RunOffers?
    /// Finished steps that are run again only because their results aren't stored.
    private let recomputed: Locked<Set<String>>

    init(
        _ part: RunPart, of id: RunID, _ writer: RunWriter, token: UInt64, clock: any StepClock,
        interruptions: Interruptions, elements: KeptElements, cache: ResultCache, recomputed: Set<String>,
        offers: RunOffers?,
        signals: @escaping @Sendable (RunSignal) -> Void
    ) {
        self.id = id
        self.part = part
        self.writer = writer
        self.token = token
        self.clock = clock
        self.interruptions = interruptions
        self.elements = elements
        self.cache = cache
        self.offers = offers
        self.recomputed = Locked(recomputed)
        self.signals = signals
    }

    // Runs on the body's thread, so that results are encoded in parallel.
    func record(_ entry: JournalEntry) -> Bool {
        let facts = part.facts(entry.number)
        // Deferred: the writer must have received the end before the next attempt may be offered.
        defer { tellOffers(entry, facts.name) }
        if offers != nil, isKeptByWorker(entry, facts.name) { return false }
        // A recomputed file may differ from the earlier one: its new checksum must be stored, so it isn't skipped here.
        if facts.isRecomputed, facts.codec == nil, isKnown(entry, facts.name) { return false }
        // The entry may come late. What follows counts from the decision.
        let late = max(clock.uptime - entry.time.uptime, .zero)
        let now = clock.now.addingTimeInterval(-(late / .seconds(1)))
        var failures = entry.failures
        var began: Date?
        let kind: StepChange.Kind
        switch entry.kind {
        case .began: kind = .began
        case .awaits(let since): (kind, began) = (.began, since)
        case .finished(let value):
            do {
                kind = .finished(try facts.bytes(of: value))
            } catch {
                let error = DurableRunError(
                    .notStorable, facts.name, "its result can't be kept", underlying: error)
                // An awaited result can still fail its task. Otherwise the end was already published: fail the whole
                // run.
                if entry.isAwaited { part.workflow.cannotKeep(entry, error) } else { writer.fail(error) }
                return false
            }
        case .failed(let error): kind = .failed(StepFailure(error, subject: facts.name))
        case .retries(let error, let wait):
            let seconds = wait / .seconds(1)
            // The entry counts earlier failures only. After a restart the next attempt must count this one too.
            failures += 1
            kind = .waiting(
                StepFailure(error, subject: facts.name), due: now.addingTimeInterval(seconds), wait: seconds)
        // An interruption doesn't cancel the run: only clear the attempt, so that the next process starts it again.
        // After a failure of the store the writer doesn't write this change: a stored begin stays, and counts as
        // interrupted, unless the disk is full.
        case .cancelled(let reason, let wasRunning) where reason.isInterruption:
            // The store doesn't know a worker's step as begun, and may have its result already.
            // The time of a condition goes on while no process has the run.
            guard wasRunning, offers == nil, !facts.isCondition else { return false }
            kind = .cleared
        case .cancelled(let reason, _):
            kind = .cancelled(
                StepFailure(code: reason.code.description, subject: facts.name, message: reason.description))
        // The step never began: the store has nothing to clear.
        case .cleared where entry.attempt == 0: return false
        case .cleared: kind = .cleared
        case .fulfilled(let value):
            // A value that can't be kept fails the condition when its attempt ends.
            do { signals(.fulfil(condition: facts.name, try facts.bytes(of: value))) } catch {}
            return false
        }
        var change = StepChange(
            kind, of: facts.name, attempt: entry.attempt, token: token, at: now,
            version: facts.version, links: facts.links, failures: failures,
            interruptions: interruptions[facts.name])
        change.began = began
        // A worker ran the failed attempt: write its name and its begin.
        if let origin = offers?.takeOrigin(of: facts.name, attempt: entry.attempt) {
            (change.worker, change.began) = (origin.worker, origin.began)
        }
        // `takeOver` has recorded the key before the body started.
        if case .finished = kind { change.cacheKey = cache.key(of: facts.name, attempt: entry.attempt) }
        return writer.add(RunWriter.Item(change: change, part: part, entry: entry))
    }

    /// Returns whether the entry needs no write: the step has finished before and is run again for its result only.
    private func isKnown(_ entry: JournalEntry, _ name: String) -> Bool {
        switch entry.kind {
        case .began, .awaits, .retries, .finished:
            guard recomputed.withLock({ $0.contains(name) }) else { return false }
        case .failed, .cancelled, .cleared, .fulfilled:
            // The recomputation failed: the stored result is no longer valid. From here on write all changes.
            recomputed.withLock { _ = $0.remove(name) }
            return false
        }
        if case .finished = entry.kind { writer.note(name) }
        // The workflow waits for confirmation even though nothing is written.
        if entry.isAwaited { part.workflow.wasKept([entry]) }
        return true
    }

    /// Reports to the offers that the writer has received an attempt's end, so that the next attempt may be offered.
    private func tellOffers(_ entry: JournalEntry, _ name: String) {
        guard let offers else { return }
        switch entry.kind {
        case .began, .awaits, .fulfilled: break
        // These ends are final for the attempt: it was added before, or never will be.
        case .finished, .cancelled(_, wasRunning: false):
            offers.wasNotified(name, attempt: entry.attempt, mayComeYet: false)
        // A stop may arrive before the attempt itself.
        case .failed, .retries, .cancelled, .cleared:
            offers.wasNotified(name, attempt: entry.attempt, mayComeYet: true)
        }
    }

    /// Returns whether a worker writes the entry: begins, and ends with a result.
    private func isKeptByWorker(_ entry: JournalEntry, _ name: String) -> Bool {
        switch entry.kind {
        case .began: break
        // Only the owner has the elements of a map over a result, so the owner writes the map's result.
        case .finished(let value as KeptResult) where value.elements == nil:
            writer.note(name)
        case .finished(let grown as GrownResult) where grown.output is KeptResult: writer.note(name)
        default: return false
        }
        if entry.isAwaited { part.workflow.wasKept([entry]) }
        return true
    }

    var hasBodiesElsewhere: Bool { offers != nil }

    func runsElsewhere(_ body: BodyElsewhere) -> Bool {
        guard let offers else { return false }
        let facts = part.facts(body.number)
        var element: Data?
        if let codec = facts.codec?.found {
            // Another task that was added to the workflow inside the map runs here.
            guard let found = body.element else { return false }
            do { element = try GrownBytes.element(found.value, depth: found.depth, codec) } catch {
                let error = DurableRunError(
                    .notStorable, facts.name, "its element can't be stored for workers", underlying: error)
                BodyElsewhere.end([(body, .failed(error, retryAfter: nil))])
                return true
            }
        }
        offers.offer(
            body, of: part, facts, interruptions: interruptions[facts.name],
            cacheKey: cache.key(of: facts.name, attempt: body.attempt), element: element)
        return true
    }

    func idempotencyKey(of number: Int) -> String {
        id.digest(of: part.facts(number).name)
    }

    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? {
        cache.takeOver(part, number, attempt: attempt, inputs)
    }

    func restoredElements(_ names: [String], like task: JournalTask) -> [String: RestoredTask] {
        let prefix = part.prefix.isEmpty ? "" : part.prefix + "/"
        var restored: [String: RestoredTask] = [:]
        do {
            restored = try elements.restored(names, like: part.facts(of: task), in: prefix, now: clock.now)
        } catch {
            writer.fail(error)
            return Dictionary(names.map { ($0, RestoredTask.cancelled(0)) }) { first, _ in first }
        }
        // An element that a worker runs for an earlier owner has begun: it keeps its place in the list.
        for (step, attempt) in offers?.precedingAttempts(of: names.map { prefix + $0 }) ?? [:] {
            let name = JournalTask.name(of: step, in: part.prefix)
            guard restored[name].map({ $0.attempt < attempt }) ?? true else { continue }
            restored[name] = RestoredTask(0, .open, attempt: attempt, failures: 0, ended: .distantPast)
        }
        return restored
    }

    func haveRestoredElements(_ isElement: (_ name: String) -> Bool) {
        guard let map = part.map else { return }
        offers?.keepAdopted(of: map) { isElement(JournalTask.name(of: $0, in: part.prefix)) }
    }

    func elementKeys(_ elements: [any Sendable], of type: any Sendable.Type) -> [String]? {
        ElementKeys.keys(of: elements, type)
    }

    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] {
        do {
            return try elements.restored(numbers, of: part, now: clock.now)
        } catch {
            writer.fail(error)
            return numbers.map { RestoredTask.cancelled($0) }
        }
    }
}

extension RestoredTask {
    /// A task that must not begin: the run has failed, and nothing of it is stored any more.
    fileprivate static func cancelled(_ number: Int) -> RestoredTask {
        RestoredTask(number, .cancelled, attempt: 0, failures: 0, ended: .distantPast)
    }
}

extension CancellationReason {
    /// Whether the reason concerns only this process and says nothing about the run.
    var isInterruption: Bool { code == .awaitingTask || code == .storeFailed }
}
