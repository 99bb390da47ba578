import CSQLite
import Foundation
import SteplineSupport

/// Who has runs of a store open: each owner holds a lock on a byte of a file beside it, at the run's number.
///
/// The system drops the locks of a process that ends, however it does. They belong to the open file, so that
/// two stores of one process see each other's as well.
final class OwnerLocks: Sendable {
    /// -1 where the file can't be had: then nobody can own a run.
    private let descriptor: Int32
    /// The runs that are held through this file, whose locks it can't see itself.
    private let held = Locked<Set<Int>>([])

    init(path: String) throws {
        var file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Enough to see who owns what, in a store that can only be read.
        if file < 0 { file = open(path, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 || errno == EACCES || errno == EROFS || errno == ENOENT else {
            throw SystemFailure("open")
        }
        descriptor = file
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Becomes the owner of a run; false if it has one.
    func take(_ run: Int) throws -> Bool {
        try held.withLock { held in
            if held.contains(run) { return false }
            let error = stepline_set_claim(descriptor, Int64(run), Int32(F_WRLCK))
            if error == EAGAIN || error == EACCES { return false }
            // A file that is open for reading alone takes no lock of this kind.
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

    /// All runs that have living owners.
    func all() -> OwnedRuns {
        held.withLock { held in
            var ranges: [Range<Int64>] = []
            collect(from: 0, to: 0, into: &ranges)
            return OwnedRuns(own: held, others: ranges)
        }
    }

    /// Whether a run has a living owner.
    func isOwned(_ run: Int) -> Bool {
        held.withLock { held in
            if held.contains(run) { return true }
            var first = Int64(run)
            var end = first + 1
            return stepline_find_claim(descriptor, &first, &end) == 1
        }
    }

    /// The system tells one claim at a time, and not the first: what is on both sides of it is asked for
    /// again.
    private func collect(from start: Int64, to limit: Int64, into ranges: inout [Range<Int64>]) {
        var pending = [(start, limit)]
        while let (start, limit) = pending.popLast() {
            var first = start
            var end = limit
            guard stepline_find_claim(descriptor, &first, &end) == 1 else { continue }
            first = max(first, start)
            ranges.append(first..<(end == 0 ? .max : max(end, first)))
            if first > start { pending.append((start, first)) }
            if end != 0, limit == 0 || end < limit { pending.append((end, limit)) }
        }
    }
}

/// Runs that had living owners at one moment.
struct OwnedRuns {
    let own: Set<Int>
    let others: [Range<Int64>]

    func contains(_ run: Int) -> Bool {
        own.contains(run) || others.contains { $0.contains(Int64(run)) }
    }
}
