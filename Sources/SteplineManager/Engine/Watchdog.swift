import SteplineSupport

/// Who has been named as stalled, and how often.
struct Watchdog {
    /// What may stall.
    enum Suspect: Hashable {
        case task(Int)
        case interceptor(Int)
        case asking(Int)
        case run(Int)
    }

    /// How long anything may go on unnamed; nil: for ever.
    let patience: Duration?
    var timer: Subscription?
    private var isAwake = false
    private var told: [Suspect: (since: Duration, times: Int)] = [:]
    private var seen: [Suspect: (since: Duration, times: Int)] = [:]
    private var next: Duration?

    init(patience: Duration?) {
        self.patience = patience.map { max($0, .milliseconds(1)) }
    }

    /// There is something to watch; the time after which to look, unless a look is to come anyway.
    mutating func rouse() -> Duration? {
        guard !isAwake, let patience else { return nil }
        isAwake = true
        return patience
    }

    mutating func beginRound() {
        seen = [:]
        next = nil
    }

    /// Whether a suspect is to be named, which has gone on since then.
    mutating func names(_ suspect: Suspect, since: Duration, at now: Duration) -> Bool {
        guard let patience else { return false }
        var times = told[suspect].flatMap { $0.since == since ? $0.times : nil } ?? 0
        var isNamed = false
        while now - since >= patience * (1 << min(times, 40)), times < 40 {
            times += 1
            isNamed = true
        }
        if times > 0 { seen[suspect] = (since, times) }
        let due = since + patience * (1 << min(times, 40)) - now
        next = min(next ?? due, due)
        return isNamed
    }

    /// The time after which to look again; nil if nothing is there to be watched.
    mutating func endRound(isIdle: Bool) -> Duration? {
        told = seen
        seen = [:]
        timer = nil
        isAwake = !isIdle
        return isIdle ? nil : next ?? patience
    }
}

extension ManagerState {
    /// Names whoever neither ends nor answers, nor releases what it holds.
    mutating func watch() {
        let now = now
        watchdog.beginRound()
        for record in tasks {
            switch record.phase {
            case .live:
                watch(.task(record.identifier.number), since: record.since, now, record, record.name)
            case .held(let holder) where holds[holder].limits.age == nil:
                watch(
                    .task(record.identifier.number), since: record.since, now, record,
                    interceptorNames[holder])
            default: break
            }
        }
        if let record = interception.current, case .intercepting = record.phase {
            let (since, name) = (
                interception.progress.since, interceptorNames[interception.progress.position]
            )
            watch(.interceptor(record.identifier.number), since: since, now, record, name)
        }
        if let record = asking.current, case .asked = record.phase {
            let (since, name) = (asking.progress.since, reactorNames[asking.progress.position])
            watch(.asking(record.identifier.number), since: since, now, record, name)
        }
        for (name, run) in zip(reactorNames, reactors.map(\.run)) {
            if let run { watch(.run(run.number), since: run.since, now, nil, name) }
        }
        let isIdle = unfinished == 0 && reactors.allSatisfy { $0.run == nil }
        if let next = watchdog.endRound(isIdle: isIdle) { effects.timers.append((.watchdog, next)) }
    }

    private mutating func watch(
        _ suspect: Watchdog.Suspect, since: Duration, _ now: Duration, _ record: TaskRecord?, _ name: String
    ) {
        if watchdog.names(suspect, since: since, at: now) { tell(.stalled, record, name: name) }
    }
}
