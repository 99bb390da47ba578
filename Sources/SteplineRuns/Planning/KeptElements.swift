import Foundation
import SteplineSupport
import SteplineWorkflow

/// The stored states of map elements, whose tasks are created only when the list is known.
final class KeptElements: Sendable {
    private struct Element {
        let number: Int
        let facts: StepFacts
        let record: StepRecord
        /// Whether the record is valid: made from the same element by the same version.
        let isValid: Bool

        /// Whether the map needs the kept result.
        var hasResult: Bool {
            isValid && record.state == .finished && record.resultSize != nil && !facts.isRecomputed
                && facts.codec != nil
        }
    }

    /// The number of results that are read at once.
    private static let batch = 256

    private let results: @Sendable ([String]) throws -> [Data?]
    private let retryingFailures: Bool
    private let records: [String: StepRecord]
    /// The elements whose list is still the one that they were created from.
    private let valid: Set<String>
    private let interruptions: Interruptions

    /// Makes the elements; `results` reads the results of several steps at once.
    init(
        _ records: [String: StepRecord], valid: Set<String>, _ interruptions: Interruptions,
        retryingFailures: Bool, results: @escaping @Sendable ([String]) throws -> [Data?]
    ) {
        self.interruptions = interruptions
        self.valid = valid
        self.records = records
        self.retryingFailures = retryingFailures
        self.results = results
    }

    /// Returns the stored states of elements' tasks, without unknown tasks.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't read a result. A damaged result isn't an error.
    func restored(_ numbers: Range<Int>, of part: RunPart, now: Date) throws -> [RestoredTask] {
        var restored: [RestoredTask] = []
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.batch) {
            let some = (start..<min(start + Self.batch, numbers.upperBound)).compactMap {
                element($0, part.facts($0))
            }
            restored += try self.restored(some, now)
        }
        return restored
    }

    /// Returns the stored states of elements that have no tasks yet, by name, without unknown elements.
    ///
    /// - Parameters:
    ///   - names: The names of the elements' tasks.
    ///   - facts: The facts that all of them share; their names differ.
    ///   - prefix: The names of the tasks around the map, up to the name of an element.
    ///   - now: The current date.
    /// - Returns: The states; the numbers in them are those of the names.
    /// - Throws: A ``RunStoreError`` if the store can't read a result. A damaged result isn't an error.
    func restored(
        _ names: [String], like facts: StepFacts, in prefix: String, now: Date
    ) throws -> [String: RestoredTask] {
        var restored: [String: RestoredTask] = [:]
        for start in stride(from: 0, to: names.count, by: Self.batch) {
            let some = (start..<min(start + Self.batch, names.count)).compactMap {
                element($0, facts.named(prefix + names[$0]))
            }
            for task in try self.restored(some, now) { restored[names[task.number]] = task }
        }
        return restored
    }

    private func restored(_ some: [Element], _ now: Date) throws -> [RestoredTask] {
        let data = try read(some.filter(\.hasResult).map(\.record.name))
        return some.map { restored($0, data[$0.record.name], now) }
    }

    private func element(_ number: Int, _ facts: StepFacts) -> Element? {
        guard let record = records[facts.name], record.attempt > 0 else { return nil }
        let isValid =
            valid.contains(record.name) && record.version == facts.version && facts.isSame(record.links)
        return Element(number: number, facts: facts, record: record, isValid: isValid)
    }

    /// Returns the kept results of elements by name, without damaged ones.
    private func read(_ names: [String]) throws -> [String: Data] {
        if names.isEmpty { return [:] }
        do {
            let data = try results(names)
            return Dictionary(zip(names, data).lazy.compactMap { name, data in data.map { (name, $0) } }) {
                first, _ in first
            }
        } catch {
            // One of the results is damaged, or the batch is too large: read them one by one.
            guard names.count == 1 else {
                var found: [String: Data] = [:]
                for name in names { found.merge(try read([name])) { first, _ in first } }
                return found
            }
            // A failure of the store says nothing about the result.
            if let error = error as? RunStoreError, error.code != .resultDamaged { throw error }
            return [:]
        }
    }

    private func restored(_ element: Element, _ data: Data?, _ now: Date) -> RestoredTask {
        let record = element.record
        let isTooOften = element.isValid && isTooOften(record)
        return RestoredTask(
            element.number, element.isValid ? state(element, data, now) : .open,
            // The plan has failed the element by another attempt.
            attempt: record.attempt + (isTooOften ? 1 : 0),
            // An element that runs again after an end starts with a full retry budget. A cleared row has its own count.
            failures: record.state == .running || record.state == .waiting
                || record.state == .pending && element.isValid ? record.failures : 0,
            ended: record.ended ?? now, pool: interruptions.pool(of: record.name))
    }

    private func isTooOften(_ record: StepRecord) -> Bool {
        record.state == .running && record.interruptions + 1 >= Interruptions.most && !retryingFailures
    }

    private func state(_ element: Element, _ data: Data?, _ now: Date) -> RestoredTask.State {
        let record = element.record
        switch record.state {
        case .pending: return .open
        case .running where isTooOften(record):
            return .failed(KeptFailure(StepFailure(interrupted: record.interruptions + 1, record.name)))
        // The element's process died: a new attempt replaces the row.
        case .running: return .open
        case .waiting: return .waiting(RunPlan.rest(of: record.wait, until: record.due, at: now))
        case .failed: return retryingFailures ? .open : .failed(KeptFailure(record.failure))
        case .cancelled: return retryingFailures ? .open : .cancelled
        // The map needs the result, and the store doesn't have it.
        case .finished where element.facts.isRecomputed: return .open
        // Nothing is known of the elements that such an element has found.
        case .finished where !element.hasResult && element.facts.codec?.found != nil: return .open
        case .finished where !element.hasResult:
            return .finished(element.facts.codec?.isNothing == true ? () : nil)
        case .finished:
            // An unreadable result is made again.
            guard let data, let value = try? element.facts.codec?.restore(data) else { return .open }
            return .finished(value)
        }
    }
}
