import CTaskHook
import Foundation
import SteplineSupport

/// Swift's shared threads, which run tasks without a preferred executor; on a simulating thread, the run takes over
/// their jobs.
enum SharedThreads {
    /// Installs a hook that passes the jobs of simulating threads to their run; on other threads it costs one load.
    static let areRuled: Void = ctaskhook_install { job in
        // False: the runtime enqueues the job as usual.
        guard let job, let play = Stages.current as? Play else { return false }
        // A job is a pointer, but the runtime offers no other conversion for C.
        play.take(unsafeBitCast(job, to: UnownedJob.self))
        return true
    }

    /// The name of this thread, which doesn't belong to a run.
    static var nameOfThis: String {
        if Thread.isMainThread { return "the main thread" }
        let queue = ctaskhook_queue_label().map { String(cString: $0) } ?? ""
        // The labels of system queues aren't helpful.
        if !queue.isEmpty, !queue.hasPrefix("com.apple.root"), !queue.hasPrefix("Swift global") {
            return "the queue ‘\(queue)’"
        }
        guard let name = Thread.current.name, !name.isEmpty else { return "another thread" }
        return "the thread ‘\(name)’"
    }
}
