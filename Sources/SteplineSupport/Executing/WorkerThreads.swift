import Synchronization

/// The threads on which synchronous bodies of steps and tasks run: one pool for the whole process.
///
/// As many are at work as the machine has cores. While work waits and all of them sit in bodies that block, more are
/// added, and leave again when they are idle.
public enum WorkerThreads {
    private static let most = Atomic(512)

    /// How many threads there may be at once, all of them blocked; 512 unless set.
    ///
    /// Bodies that wait for each other need one each. May be set at any time; a lower number ends no thread that works.
    public static var maximumCount: Int {
        get { most.load(ordering: .relaxed) }
        set { most.store(max(1, newValue), ordering: .relaxed) }
    }
}
