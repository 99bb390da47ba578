import Foundation
import SteplineSupport
import SteplineWorkflow

/// The stored states of map elements, whose tasks are created only when the list is known.
final class KeptElements: Sendable {
    private let run: any OpenRun
    private let retryingFailures: Bool
    private let records: [String: StepRecord]
    /// The elements whose list is still the one that they were created from.
    private let standing: Set<String>
    private let interruptions: Interruptions

    init(
        _ run: any OpenRun, _ records: [String: StepRecord], standing: Set<String>,
        _ interruptions: Interruptions, retryingFailures: Bool
    ) {
        self.interruptions = interruptions
        self.standing = standing
        self.run = run
        self.records = records
        self.retryingFailures = retryingFailures
    }

    /// Returns the stored state of an element's task; nil if nothing is stored.
    func restored(_ number: Int, _ facts: StepFacts, now: Date) -> RestoredTask? {
        guard let record = records[facts.name], record.attempt > 0 else { return nil }
        let isSame =
            // A different list, version or set of links makes the stored result stale: run the element again.
            standing.contains(record.name) && record.version == facts.version && facts.isSame(record.links)
        let isTooOften = isSame && record.state == .running && record.interruptions + 1 >= Interruptions.most
        return RestoredTask(
            number, isSame ? state(record, facts, now) : .open,
            // The plan has failed the step in an attempt of its own.
            attempt: record.attempt + (isTooOften ? 1 : 0),
            failures: record.state == .running || record.state == .waiting ? record.failures : 0,
            ended: record.ended ?? now, pool: interruptions.pool(of: facts.name))
    }

    private func state(_ record: StepRecord, _ facts: StepFacts, _ now: Date) -> RestoredTask.State {
        switch record.state {
        case .pending: .open
        case .running where record.interruptions + 1 >= Interruptions.most:
            .failed(KeptFailure(StepFailure(interrupted: record.interruptions + 1, record.name)))
        case .running: .open
        case .waiting: .waiting(RunPlan.rest(of: record.wait, until: record.due, at: now))
        case .failed: retryingFailures ? .open : .failed(KeptFailure(record.failure))
        case .cancelled: retryingFailures ? .open : .cancelled
        case .finished: finished(record, facts)
        }
    }

    private func finished(_ record: StepRecord, _ facts: StepFacts) -> RestoredTask.State {
        // Without a stored result the element must run for its value.
        if facts.isRecomputed { return .open }
        guard record.resultSize != nil, let codec = facts.codec else {
            return .finished(facts.codec?.isNothing == true ? () : nil)
        }
        // The map reads the value. An unreadable result is computed again.
        guard let data = try? run.result(of: record.name), let value = try? codec.decode(data) else {
            return .open
        }
        return .finished(value)
    }
}
