import CSQLite
import Foundation
import SteplineSupport

/// The ownership of runs between processes, as locks on bytes of a file beside the store.
///
/// The byte at a run's number is locked while the run has an owner. The kernel releases the locks when a process ends,
/// even after `SIGKILL`: no lease and no heartbeat is needed. The locks are open file description locks
/// (`F_OFD_SETLK`), which belong to the open file, not to the process. Two stores in one process therefore exclude each
/// other too. A file description can't see its own locks, so `held` records these.
final class OwnerLocks: Sendable {
    /// The file descriptor; -1 if the file can't be opened, in which case no run can be owned.
    private let descriptor: Int32
    /// The runs owned through this descriptor.
    private let held = Locked<Set<Int>>([])

    /// Opens the file; `creates` creates a missing one, without which no run is owned.
    init(path: String, creates: Bool = true) throws {
        var file = open(path, O_RDWR | (creates ? O_CREAT : 0) | O_CLOEXEC, 0o600)
        // Without write permission the file still shows the owners of other processes.
        if file < 0 { file = open(path, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 || errno == EACCES || errno == EROFS || errno == ENOENT else {
            throw SystemFailure("open")
        }
        descriptor = file
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Becomes the owner of a run; returns false if the run has an owner.
    func take(_ run: Int) throws -> Bool {
        try held.withLock { held in
            if held.contains(run) { return false }
            let error = stepline_set_claim(descriptor, Int64(run), Int32(F_WRLCK))
            // Another process, or another store of this process, holds the byte.
            if error == EAGAIN || error == EACCES { return false }
            // A descriptor opened for reading can't take a write lock.
            guard error == 0 else { throw SystemFailure("fcntl", error == EBADF ? EROFS : error) }
            held.insert(run)
            return true
        }
    }

    func release(_ run: Int) {
        held.withLock { held in
            guard held.remove(run) != nil else { return }
            _ = stepline_set_claim(descriptor, Int64(run), Int32(F_UNLCK))
        }
    }

    /// Returns all runs with a living owner.
    func all() -> OwnedRuns {
        held.withLock { held in
            var ranges: [Range<Int64>] = []
            collect(from: 0, to: 0, into: &ranges)
            return OwnedRuns(own: held, others: ranges)
        }
    }

    /// Returns whether a run has a living owner.
    func isOwned(_ run: Int) -> Bool {
        held.withLock { held in
            if held.contains(run) { return true }
            var first = Int64(run)
            var end = first + 1
            return stepline_find_claim(descriptor, &first, &end) == 1
        }
    }

    /// Finds all locked ranges.
    ///
    /// The kernel reports one conflicting lock for a query, in no order. The parts on both sides of it are queried
    /// again.
    private func collect(from start: Int64, to limit: Int64, into ranges: inout [Range<Int64>]) {
        var pending = [(start, limit)]
        while let (start, limit) = pending.popLast() {
            var first = start
            // An `end` of 0 is the end of the file.
            var end = limit
            guard stepline_find_claim(descriptor, &first, &end) == 1 else { continue }
            // A reported lock may begin before the queried range.
            first = max(first, start)
            ranges.append(first..<(end == 0 ? .max : max(end, first)))
            if first > start { pending.append((start, first)) }
            if end != 0, limit == 0 || end < limit { pending.append((end, limit)) }
        }
    }
}

/// The runs with living owners at one time.
struct OwnedRuns {
    let own: Set<Int>
    let others: [Range<Int64>]

    func contains(_ run: Int) -> Bool {
        own.contains(run) || others.contains { $0.contains(Int64(run)) }
    }
}
