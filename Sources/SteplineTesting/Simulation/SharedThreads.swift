import CTaskHook
import Foundation
import SteplineSupport

/// Swift's shared threads, where tasks run that nothing else is said of; while a thread plays, the play takes their place.
enum SharedThreads {
    /// Has plays take the jobs that their threads would give away; costs everybody else one look at a number.
    static let areRuled: Void = ctaskhook_install { job in
        guard let job, let play = Stages.current as? Play else { return false }
        // A job is a pointer, and the runtime has no other way to say so to C.
        play.take(unsafeBitCast(job, to: UnownedJob.self))
        return true
    }

    /// What this thread is called, which isn't one that plays.
    static var nameOfThis: String {
        if Thread.isMainThread { return "the main thread" }
        let queue = ctaskhook_queue_label().map { String(cString: $0) } ?? ""
        // The system's own say nothing to anybody.
        if !queue.isEmpty, !queue.hasPrefix("com.apple.root"), !queue.hasPrefix("Swift global") {
            return "the queue ‘\(queue)’"
        }
        guard let name = Thread.current.name, !name.isEmpty else { return "another thread" }
        return "the thread ‘\(name)’"
    }
}
