/// What the interceptors have said about a task.
enum InterceptAnswers {
    /// All of them that it may run.
    case allExecute
    /// Each of them, in order.
    case each([InterceptAnswer])
}

/// An interceptor's answer, with its limits as they were then.
struct InterceptAnswer {
    let command: InterceptCommand
    let limits: HoldLimits
}

/// What all answers together mean.
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
    /// Whose held tasks run as well, if this one does.
    private(set) var releasers: [Int] = []

    init(_ answers: [InterceptAnswer]) {
        for (position, answer) in answers.enumerated() {
            switch answer.command {
            case .execute: releasers.append(position)
            case .forceExecute:
                isForced = true
                releasers.append(position)
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
        if let delay, delay > .zero { return .delay(delay) }
        return .run
    }
}
