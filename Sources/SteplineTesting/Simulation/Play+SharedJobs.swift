import CTaskHook
import SteplineSupport

extension Play {
    /// Installs a hook that passes the jobs of simulating threads to their run; on other threads it costs one load.
    ///
    /// Swift's shared threads would run these jobs: those of tasks without a preferred executor.
    static let takesSharedJobs: Void = ctaskhook_install { job in
        // False: the runtime enqueues the job as usual.
        guard let job, let play = Stages.current as? Play else { return false }
        // A job is a pointer, but the runtime offers no other conversion for C.
        play.take(unsafeBitCast(job, to: UnownedJob.self))
        return true
    }
}
