import Foundation
import SteplineWorkflow

/// The changes of one transaction, with the entries to confirm.
struct ChangeBatch {
    var changes: [StepChange] = []
    var origins: [(part: RunPart, entry: JournalEntry)] = []

    init(capacity: Int) {
        changes.reserveCapacity(capacity)
        origins.reserveCapacity(capacity)
    }

    /// Calls each workflow once with its consecutive awaited entries.
    func tell(
        where isMeant: (Int, JournalEntry) -> Bool = { _, _ in true },
        _ how: (Workflow, [JournalEntry]) -> Void
    ) {
        var part: RunPart?
        var entries: [JournalEntry] = []
        for (place, origin) in origins.enumerated()
        where origin.entry.isAwaited && isMeant(place, origin.entry) {
            // Consecutive entries of one workflow are confirmed in one transaction of its machine.
            if let part, part !== origin.part {
                how(part.workflow, entries)
                entries = []
            }
            part = origin.part
            entries.append(origin.entry)
        }
        if let part { how(part.workflow, entries) }
    }
}

/// Changes that wait for a write, in batches of the size of a transaction.
struct WaitingChanges {
    private static let most = 4096  // changes in one write
    /// The largest number of result bytes in one write; a larger result is written alone.
    static let mostBytes = 16 << 20

    private var full: [ChangeBatch] = []
    private var last = ChangeBatch(capacity: 0)
    private var bytes = 0  // of the results in `last`

    var isEmpty: Bool { last.changes.isEmpty }

    var all: [ChangeBatch] { full + [last] }

    /// Adds a change with another date.
    mutating func append(_ item: borrowing RunWriter.Item, at date: Date) {
        let size = item.change.resultSize
        if last.changes.count == Self.most || bytes > 0 && bytes + size > Self.mostBytes {
            full.append(last)
            begin()
        }
        last.changes.append(item.change)
        last.changes[last.changes.count - 1].date = date
        last.origins.append((item.part, item.entry))
        bytes += size
    }

    /// Removes and returns the earliest batch.
    mutating func takeBatch() -> ChangeBatch {
        guard full.isEmpty else { return full.removeFirst() }
        defer { begin() }
        return last
    }

    /// Begins a batch, which is probably as large as the one before.
    private mutating func begin() { (last, bytes) = (ChangeBatch(capacity: last.changes.count), 0) }
}

extension StepChange {
    /// The size of the result in bytes.
    fileprivate var resultSize: Int {
        if case .finished(let data?) = kind { data.count } else { 0 }
    }
}
