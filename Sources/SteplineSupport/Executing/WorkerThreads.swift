import Synchronization

/// The threads that run synchronous bodies of steps and tasks: one pool for the whole process.
///
/// As many threads run as the machine has cores. While work waits and all threads are blocked in bodies, the pool adds
/// threads, which end when they are idle.
public enum WorkerThreads {
    private static let most = Atomic(512)

    /// The maximum number of threads, even if all of them are blocked; 512 by default.
    ///
    /// Bodies that wait for each other need one thread each. The number can change at any time; a lower one ends no
    /// working thread.
    public static var maximumCount: Int {
        get { most.load(ordering: .relaxed) }
        set { most.store(max(1, newValue), ordering: .relaxed) }
    }
}
