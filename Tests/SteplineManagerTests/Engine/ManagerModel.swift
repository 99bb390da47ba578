@testable import SteplineManager

/// The manager's rules once more, as slow and plain as can be: arrays, and searches through them.
struct ManagerModel {
    enum Stage: Equatable {
        case notStarted, delayed, awaiting, intercepting, held(Int), ready, executing, asked, reacting,
            backoff
        case ended(TaskState.End)
    }

    struct Entry {
        var stage = Stage.notStarted
        var attempt = 0
        var priority = 2
        var delay = 0
        var deadline: Int?
        var order = 0
        var mark = 0
        var hasSucceeded = false
        var skips = false
        var requeues = false
        var reintercepts = false
        var backoff = 0
        var joinOrder = 0
        var runs: [Int] = []
        var counts = [0, 0]
        var holdOrder = 0
        var heldSince = 0
        var firstToAsk = 0
        /// The task was added in a reactor's run, and begins in spite of pause and suspension.
        var serves = false
        /// Which way it takes that only so many bodies take at once.
        var lane: Int?
    }

    struct Body: Equatable {
        var task: Int
        var attempt: Int
        var lends = 0
    }

    struct Run {
        var number: Int
        var joined: [Int]
        var body: Int?
        var suspends: Bool
    }

    enum Timer: Equatable {
        case delay(Int)
        case timeout(Int)
        case deadline(Int)
        case grace(Int)
        case run(Int)
        case runGrace(Int)
        case hold(Int)
        case interception
        case asking
    }

    /// Until when an interceptor's tasks are held.
    struct HoldTerms {
        var count: Int?
        var age: Int?
        var fails: Bool
    }

    /// The verdict of a reactor that accepts, by its position.
    struct Terms {
        var timeout: Int?
        var requeues = false, suspends = false, reintercepts = false, delays = false
        var most: Int?
        var backoff = 0
    }

    let terms: [Terms]
    /// The last terms of each interceptor that held the task.
    var holding: [HoldTerms]
    let grace: Int
    let answerTime: Int
    /// How many tasks may wait for their begin.
    let mostWaiting: Int?
    var tasks: [Entry] = []
    var bodies: [Body] = []
    var begun: [Body] = []
    var awaiting: [Int] = []
    var asking: [Int] = []
    var isIntercepting = false
    var isAsking = false
    /// The task that the interceptor is asked about, and since when.
    var asked: (task: Int, since: Int)?
    var intercepted: (task: Int, since: Int)?
    var askRound = 1
    var interceptRound = 1
    /// Whether a run is being closed that has suspended the line until now.
    var isClosing = false
    var runs: [Run?] = [nil, nil]
    var runBodies: [Int?] = [nil, nil]
    var lastSuccess = [0, 0]
    var limit = 2
    /// How many bodies each lane takes.
    static let laneLimits = [1, 2]
    var isPaused = false
    var isShut = false
    /// The manager has been released.
    var isReleased = false
    var now = 0
    var timers: [(due: Int, timer: Timer)] = []
    private var count = 0
    var lastRun = 0
    var lastRunBody = 0

    init(_ terms: [Terms], holding: [HoldTerms], grace: Int, answerTime: Int, waiting: Int?) {
        self.terms = terms
        self.holding = holding
        self.grace = grace
        self.answerTime = answerTime
        mostWaiting = waiting
    }

    mutating func next() -> Int {
        count += 1
        return count
    }

    /// Whether nothing is in flight that somebody's word isn't needed for.
    var isIdle: Bool {
        tasks.allSatisfy { entry in
            switch entry.stage {
            case .notStarted, .ended: true
            case .held(let position): holding[position].age == nil
            default: false
            }
        }
    }

    func isOver(_ task: Int) -> Bool { if case .ended = tasks[task].stage { true } else { false } }

    mutating func set(_ timer: Timer, after time: Int) {
        withdraw(timer)
        timers.append((now + time, timer))
    }

    mutating func withdraw(_ timer: Timer) { timers.removeAll { $0.timer == timer } }

    // MARK: Adding and beginning

    mutating func add(priority: Int, delay: Int, deadline: Int?, serves: Bool, lane: Int?, starts: Bool) {
        var entry = Entry(priority: priority, delay: delay, deadline: deadline)
        entry.serves = serves
        entry.lane = lane
        tasks.append(entry)
        let task = tasks.count - 1
        if isShut { return end(task, .cancelled) }
        let waiting = tasks.indices.count { tasks[$0].attempt == 0 && !isOver($0) }
        if waiting > mostWaiting ?? .max { return end(task, .failed) }
        if starts { start(task) }
    }

    mutating func start(_ task: Int) {
        if tasks[task].stage == .notStarted, let deadline = tasks[task].deadline {
            set(.deadline(task), after: deadline)
        }
        switch tasks[task].stage {
        case .notStarted where tasks[task].delay > 0:
            tasks[task].stage = .delayed
            set(.delay(task), after: tasks[task].delay)
        case .notStarted, .delayed:
            withdraw(.delay(task))
            comeUp(task)
        default: break
        }
    }

    mutating func comeUp(_ task: Int) {
        tasks[task].mark = 0
        if tasks[task].skips { makeReady(task) } else { awaitTurn(task) }
    }

    /// An attempt begins with its interception, or else with its body.
    private mutating func markBegin(_ task: Int) {
        if tasks[task].mark == 0 { tasks[task].mark = next() }
    }

    mutating func awaitTurn(_ task: Int) {
        tasks[task].stage = .awaiting
        awaiting.append(task)
    }

    mutating func makeReady(_ task: Int) {
        if tasks[task].attempt == 0 { tasks[task].order = next() }
        tasks[task].stage = .ready
        // No reference is left that could raise the limit.
        if isReleased, limit == 0 { end(task, .cancelled) }
        begin()
    }

    mutating func begin() {
        while bodies.count(where: { $0.lends == 0 }) < limit {
            let isShut = isPaused || isClosing || runs.contains { $0?.suspends == true }
            let ready = tasks.indices.filter {
                tasks[$0].stage == .ready && (tasks[$0].serves || (!isShut && hasRoomOnLane($0)))
            }
            func rank(_ task: Int) -> (Int, Int, Int, Int) {
                (
                    tasks[task].serves ? 0 : 1, -tasks[task].priority, tasks[task].attempt > 0 ? 0 : 1,
                    tasks[task].order
                )
            }
            guard let task = ready.min(by: { rank($0) < rank($1) }) else { return }
            tasks[task].attempt += 1
            markBegin(task)
            tasks[task].stage = .executing
            bodies.append(Body(task: task, attempt: tasks[task].attempt))
            begun.append(Body(task: task, attempt: tasks[task].attempt))
        }
    }

    private func hasRoomOnLane(_ task: Int) -> Bool {
        guard let lane = tasks[task].lane else { return true }
        let taken = bodies.count { tasks[$0.task].lane == lane && !tasks[$0.task].serves }
        return taken < Self.laneLimits[lane]
    }

    // MARK: Ending

    mutating func end(_ task: Int, _ end: TaskState.End) {
        guard !isOver(task) else { return }
        withdraw(.delay(task))
        withdraw(.timeout(task))
        withdraw(.deadline(task))
        if tasks[task].stage == .executing { set(.grace(task), after: grace) }
        let old = tasks[task].stage
        tasks[task].stage = .ended(end)
        if case .held(let position) = old, held(by: position).isEmpty { withdraw(.hold(position)) }
        stopLookingIfOver()
    }

    /// A released manager stops its watch once all its tasks have ended.
    private mutating func stopLookingIfOver() {
        guard isReleased, tasks.indices.allSatisfy({ isOver($0) }) else { return }
        withdraw(.interception)
        withdraw(.asking)
    }

    mutating func cancel(_ task: Int) -> Bool {
        if isOver(task) { return false }
        end(task, .cancelled)
        begin()
        return true
    }

    /// How many of them hadn't ended; nothing begins before all have.
    mutating func cancelAll(_ meant: [Int]) -> Int {
        let open = meant.filter { !isOver($0) }
        for task in open { end(task, .cancelled) }
        begin()
        return open.count
    }

    mutating func complete(_ task: Int) {
        end(task, tasks[task].hasSucceeded ? .succeeded : .failed)
    }

    mutating func bodyEnded(_ body: Body, _ hasSucceeded: Bool) {
        let isLive = bodies.contains { $0.task == body.task && $0.attempt == body.attempt }
        bodies.removeAll { $0.task == body.task && $0.attempt == body.attempt }
        if tasks[body.task].stage == .executing, tasks[body.task].attempt == body.attempt {
            withdraw(.timeout(body.task))
            tasks[body.task].hasSucceeded = hasSucceeded
            tasks[body.task].stage = .asked
            asking.append(body.task)
        } else if isLive {
            withdraw(.grace(body.task))
        }
        begin()
    }

    mutating func limitBody(_ body: Body, to time: Int) {
        guard tasks[body.task].stage == .executing, tasks[body.task].attempt == body.attempt else { return }
        set(.timeout(body.task), after: time)
    }

    mutating func lend(_ body: Body) {
        guard let index = bodies.firstIndex(where: { $0.task == body.task && $0.attempt == body.attempt })
        else { return }
        bodies[index].lends += 1
        begin()
    }

    mutating func takeBack(_ body: Body) {
        guard let index = bodies.firstIndex(where: { $0.task == body.task && $0.attempt == body.attempt })
        else { return }
        bodies[index].lends = max(0, bodies[index].lends - 1)
    }

    // MARK: Interceptors

    mutating func beginIntercepting(_ task: Int) {
        isIntercepting = true
        intercepted = (task, now)
        markBegin(task)
        tasks[task].stage = .intercepting
        if !timers.contains(where: { $0.timer == .interception }) { set(.interception, after: answerTime) }
    }

    /// In order of holding.
    private func held(by position: Int) -> [Int] {
        tasks.indices.filter { tasks[$0].stage == .held(position) }
            .sorted { tasks[$0].holdOrder < tasks[$1].holdOrder }
    }

    mutating func release(by position: Int) {
        let held = held(by: position)
        withdraw(.hold(position))
        for task in held { tasks[task].stage = .awaiting }
        for task in held { makeReady(task) }
    }

    private mutating func hold(_ task: Int, by position: Int, _ terms: HoldTerms) {
        tasks[task].stage = .held(position)
        tasks[task].holdOrder = next()
        tasks[task].heldSince = now
        holding[position] = terms
        let count = held(by: position).count
        if isReleased, terms.age == nil, count < terms.count ?? .max {
            for task in held(by: position) { end(task, .cancelled) }
            return
        }
        if count >= terms.count ?? .max {
            reachLimit(of: position)
        } else if isShut {
            release(by: position)
        } else {
            withdraw(.hold(position))
            lookAtHold(of: position)
        }
    }

    private mutating func lookAtHold(of position: Int) {
        guard let oldest = held(by: position).first, let age = holding[position].age else { return }
        let rest = tasks[oldest].heldSince + age - now
        if rest > 0 { set(.hold(position), after: rest) } else { reachLimit(of: position) }
    }

    private mutating func reachLimit(of position: Int) {
        guard holding[position].fails else { return release(by: position) }
        for task in held(by: position) { end(task, .failed) }
    }

    mutating func intercepted(_ task: Int, _ commands: [InterceptCommand], _ terms: [HoldTerms]) {
        isIntercepting = false
        intercepted = nil
        guard !isOver(task) else { return }
        var releasers: [Int] = [], holder: Int?, delay = Duration.zero
        var isForced = false, fails = false
        for (position, command) in commands.enumerated() {
            switch command {
            case .execute: releasers.append(position)
            case .forceExecute:
                releasers.append(position)
                isForced = true
            case .hold: holder = holder ?? position
            case .discard, .fail: fails = true
            case .delay(let time): delay = max(delay, time)
            }
        }
        if !isForced {
            if fails { return end(task, .failed) }
            if let holder { return hold(task, by: holder, terms[holder]) }
            if delay > .zero {
                tasks[task].skips = true
                tasks[task].stage = .delayed
                return set(.delay(task), after: Int(delay.components.attoseconds / 1_000_000_000))
            }
        }
        for position in releasers { release(by: position) }
        makeReady(task)
    }

    // MARK: Time and control

    /// Moves on to the next timer that is due by then, and does what it is for; false if there is none.
    mutating func passTimer(dueBy time: Int) -> Bool {
        guard let index = timers.indices.min(by: { timers[$0].due < timers[$1].due }),
            timers[index].due <= time
        else { return false }
        now = timers[index].due
        switch timers.remove(at: index).timer {
        case .delay(let task): if tasks[task].stage == .backoff { goAgain(task) } else { comeUp(task) }
        case .timeout(let task), .deadline(let task):
            end(task, .failed)
            begin()
        case .grace(let task):
            bodies.removeAll { $0.task == task }
            begin()
        case .run(let reactor):
            if let body = runs[reactor]?.body, runBodies[reactor] == body {
                set(.runGrace(reactor), after: grace)
            }
            close(reactor, hasFailed: true)
        case .runGrace(let reactor):
            runBodies[reactor] = nil
            beginRunBody(reactor)
        case .hold(let position): lookAtHold(of: position)
        case .interception: lookAtInterceptor()
        case .asking: lookAtReactor()
        }
        return true
    }

    /// Stops waiting for an interceptor that takes too long; its later answer is ignored.
    private mutating func lookAtInterceptor() {
        guard let (task, since) = intercepted else { return }
        guard now >= since + answerTime else { return set(.interception, after: since + answerTime - now) }
        interceptRound += 1
        isIntercepting = false
        intercepted = nil
        end(task, .failed)
    }

    private mutating func lookAtReactor() {
        guard let (task, since) = asked else { return }
        guard now >= since + answerTime else { return set(.asking, after: since + answerTime - now) }
        askRound += 1
        isAsking = false
        asked = nil
        // The others are asked.
        tasks[task].firstToAsk = 1
        if !isOver(task) { asking.insert(task, at: 0) }
    }

    mutating func shutDown() {
        guard !isShut else { return }
        isShut = true
        for task in tasks.indices where tasks[task].stage == .notStarted { end(task, .cancelled) }
        begin()
        for position in 0..<2 { release(by: position) }
        isPaused = false
        begin()
    }

    /// Ends the tasks that only the manager's owner could move; the other tasks continue.
    mutating func ownerIsGone() {
        isReleased = true
        let waiting = tasks.indices.filter { task in
            switch tasks[task].stage {
            case .notStarted: true
            case .held(let position): holding[position].age == nil
            case .ready: isPaused && !tasks[task].serves || limit == 0
            default: false
            }
        }
        for task in waiting { end(task, .cancelled) }
        isPaused = false
        begin()
        stopLookingIfOver()
    }
}
