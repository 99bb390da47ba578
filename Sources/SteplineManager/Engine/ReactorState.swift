import SteplineSupport

/// One reactor's run under way, and who waits for it.
struct ReactorState {
    struct Run {
        let number: Int
        let run: ReactorRun
        let suspends: Bool
        let since: Duration
        var joined: [TaskRecord] = []
    }

    var run: Run?
    /// When the last successful run ended, in the machine's count of moments.
    var lastSuccess = 0
    /// A run that has been given up, and whose body is still live.
    var oldBody: Int?
    /// Whether the run waits for that body.
    var isWaitingForBody = false
    var timeout: Duration?
    var timer: Subscription?
    var body: _Concurrency.Task<Void, Never>?
}
