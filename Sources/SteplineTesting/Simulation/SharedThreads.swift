import CTaskHook
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
}
