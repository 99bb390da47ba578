import SteplineSupport
import Synchronization

/// The readers of a workflow's events, as the inner workflows of its maps see them.
///
/// Elements of a map over a result are tasks of an inner workflow, which sends their events to the workflow around. It
/// makes them only while there is an audience: the workflow around keeps this object up to date under its lock, and the
/// inner one reads it under its own.
final class EventAudience: Sendable {
    private let textLog: StepLog?
    private let around: EventAudience?
    private let readers: Atomic<Bool>

    init(_ textLog: StepLog?, around: EventAudience?, hasReaders: Bool) {
        self.textLog = textLog
        self.around = around
        readers = Atomic(hasReaders)
    }

    /// Whether there are streams.
    var hasReaders: Bool {
        get { readers.load(ordering: .relaxed) }
        set { readers.store(newValue, ordering: .relaxed) }
    }

    /// Whether anything gets the events: a stream, the log, or the audience of the workflow further around.
    var isPresent: Bool {
        hasReaders || textLog?.isLogging(.error) == true || around?.isPresent == true
    }
}
