/// The interceptors' answers about a task.
enum InterceptAnswers {
    /// All interceptors answered `execute`.
    case allExecute
    /// The answers of all interceptors, in order.
    case each([InterceptAnswer])
}

/// An interceptor's answer, with its hold limits at that moment.
struct InterceptAnswer {
    let command: InterceptCommand
    let limits: HoldLimits
}

/// The combined decision of all answers.
///
/// The order of precedence: a forced execution, a failure, a discard, a hold, a delay, an execution. For equal answers
/// the first interceptor counts; the longest delay counts.
struct Verdict {
    enum Decision {
        case run
        case fail(any Error)
        case discard(by: Int)
        case hold(by: Int, HoldLimits)
        case delay(Duration)
    }

    private var isForced = false
    private var failure: (any Error)?
    private var discarder: Int?
    private var holder: (position: Int, limits: HoldLimits)?
    private var delay: Duration?
    /// The interceptors whose held tasks run together with this one.
    private(set) var releasers: [Int] = []

    init(_ answers: [InterceptAnswer]) {
        for (position, answer) in answers.enumerated() {
            switch answer.command {
            case .execute: releasers.append(position)
            case .forceExecute:
                isForced = true
                releasers.append(position)
            // A task has a single holder: the first interceptor that answers `hold`.
            case .hold: holder = holder ?? (position, answer.limits)
            case .discard: discarder = discarder ?? position
            case .fail(let error): failure = failure ?? error
            case .delay(let time): delay = max(delay ?? time, time)
            }
        }
    }

    var decision: Decision {
        if isForced { return .run }
        if let failure { return .fail(failure) }
        if let discarder { return .discard(by: discarder) }
        if let holder { return .hold(by: holder.position, holder.limits) }
        // A zero delay runs the task, but unlike `execute` releases no held tasks.
        if let delay, delay > .zero { return .delay(delay) }
        return .run
    }
}
