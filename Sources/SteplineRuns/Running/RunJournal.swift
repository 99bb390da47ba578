import Foundation
import SteplineEngine
import SteplineSupport
import SteplineWorkflow

/// The journal of one workflow of a run: makes of what it hears changes of steps, and gives them to the writer.
final class RunJournal: TaskJournal {
    private let id: RunID
    private let part: RunPart
    private let writer: RunWriter
    private let signals: @Sendable (RunSignal) -> Void
    private let token: UInt64
    private let clock: any StepClock
    /// Those that steps had when the run was opened.
    private let interruptions: Interruptions
    private let elements: KeptElements
    private let cache: ResultCache
    /// Where bodies are offered to workers; nil if they run in this process.
    private let offers: RunOffers?
    /// Steps that are run again for nothing but their results.
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

    // On the thread of the body, where results are made into bytes side by side.
    func record(_ entry: JournalEntry) {
        let facts = part.facts(entry.number)
        defer { tellOffers(entry, facts.name) }
        if offers != nil, isKeptByWorker(entry, facts.name) { return }
        // A file that is made again may be another one, which is to be known.
        if facts.isRecomputed, facts.codec == nil, isKnown(entry, facts.name) { return }
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
                // Where others have heard of the end, the task can't fail any more, but the run does.
                return entry.isAwaited ? part.workflow.cannotKeep(entry, error) : writer.fail(error)
            }
        case .failed(let error): kind = .failed(StepFailure(error, subject: facts.name))
        case .retries(let error, let wait):
            let seconds = wait / .seconds(1)
            // The entry counts those before: after a restart the next attempt counts this one, too.
            failures += 1
            kind = .waiting(
                StepFailure(error, subject: facts.name), due: now.addingTimeInterval(seconds), wait: seconds)
        // Who only stops waiting, or can't go on, hasn't cancelled the run: only the attempt counts no longer.
        case .cancelled(let reason, let wasRunning) where reason.isInterruption:
            // What a worker runs the store doesn't know as begun; and it may have its result already.
            // The time of a condition goes on while no process has the run.
            guard wasRunning, offers == nil, !facts.isCondition else { return }
            kind = .cleared
        case .cancelled(let reason, _):
            kind = .cancelled(
                StepFailure(code: reason.code.description, subject: facts.name, message: reason.description))
        case .cleared where entry.attempt == 0: return
        case .cleared: kind = .cleared
        case .fulfilled(let value):
            // A value that can't be kept fails the condition when its attempt ends.
            do { signals(.fulfil(condition: facts.name, try facts.bytes(of: value))) } catch {}
            return
        }
        var change = StepChange(
            kind, of: facts.name, attempt: entry.attempt, token: token, at: now,
            version: facts.version, links: facts.links, failures: failures,
            interruptions: interruptions[facts.name])
        change.began = began
        if let origin = offers?.takeOrigin(of: facts.name, attempt: entry.attempt) {
            (change.worker, change.began) = (origin.worker, origin.began)
        }
        if case .finished = kind { change.cacheKey = cache.key(of: facts.name, attempt: entry.attempt) }
        writer.add(RunWriter.Item(change: change, part: part, entry: entry))
    }

    /// Whether the store knows all that it has to: of a step that has finished before, and is run again for its result.
    private func isKnown(_ entry: JournalEntry, _ name: String) -> Bool {
        switch entry.kind {
        case .began, .awaits, .retries, .finished:
            guard recomputed.withLock({ $0.contains(name) }) else { return false }
        case .failed, .cancelled, .cleared, .fulfilled:
            recomputed.withLock { _ = $0.remove(name) }
            return false
        }
        if case .finished = entry.kind { writer.note(name) }
        if entry.isAwaited { part.workflow.wasKept([entry]) }
        return true
    }

    /// Tells who offers attempts that the writer knows of an end, so that the next one may be offered.
    private func tellOffers(_ entry: JournalEntry, _ name: String) {
        switch entry.kind {
        case .began, .awaits, .fulfilled: break
        case .finished, .cancelled(_, wasRunning: false):
            offers?.wasTold(name, attempt: entry.attempt, mayComeYet: false)
        case .failed, .retries, .cancelled, .cleared:
            offers?.wasTold(name, attempt: entry.attempt, mayComeYet: true)
        }
    }

    /// Whether a worker tells the store of it: of each begin, and of the ends with a result.
    private func isKeptByWorker(_ entry: JournalEntry, _ name: String) -> Bool {
        switch entry.kind {
        case .began: break
        // The result of a map is the owner's to keep.
        case .finished(let value as KeptResult) where value.elements == nil:
            writer.note(name)
        default: return false
        }
        if entry.isAwaited { part.workflow.wasKept([entry]) }
        return true
    }

    var hasBodiesElsewhere: Bool { offers != nil }

    func runsElsewhere(_ body: BodyElsewhere) -> Bool {
        guard let offers else { return false }
        let facts = part.facts(body.number)
        offers.offer(
            body, of: part, facts, interruptions: interruptions[facts.name],
            cacheKey: cache.key(of: facts.name, attempt: body.attempt))
        return true
    }

    func idempotencyKey(of number: Int) -> String {
        id.digest(of: part.facts(number).name)
    }

    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? {
        cache.takeOver(part, number, attempt: attempt, inputs)
    }

    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] {
        elements.restored(numbers, of: part, now: clock.now)
    }
}

extension CancellationReason {
    /// Whether it comes from the end of this process' interest, and says nothing of the run.
    var isInterruption: Bool { code == .awaitingTask || code == .storeFailed }
}
