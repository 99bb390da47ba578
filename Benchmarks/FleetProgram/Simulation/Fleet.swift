import Foundation
import RunsTestSupport
import SteplineRuns

/// A simulation of ten thousand workers and their server: a clock and a queue of events around the store's own rules.
///
/// `OfferBoard` assigns steps and decides about leases, as in the store in memory. The rest repeats `StepWorker` and
/// `RunOffers`, statement by statement. The same plan has the same end.
struct Fleet {
    let plan: FleetPlan
    private(set) var now = 0.0
    private var queue = EventQueue()
    var dice: Dice
    var servers: [SimulatedServer]
    var progress: Progress
    /// Workers come first, and then the owners of runs.
    var callers: [Caller]
    var workers: [SimulatedWorker]
    var owners: [SimulatedOwner]
    var tally = Tally()
    var unfinishedRuns: Int

    init(_ plan: FleetPlan) {
        self.plan = plan
        dice = Dice(seed: plan.seed)
        servers = (0..<plan.servers).map { _ in
            SimulatedServer(lease: plan.lease, cores: max(1, plan.cores / plan.servers))
        }
        progress = Progress(plan)
        callers = (0..<plan.workers).map { Caller(server: $0 % plan.servers, region: $0 % FleetPlan.regions) }
        callers += (0..<plan.runs).map { Caller(server: $0 % plan.servers, region: $0 % FleetPlan.regions) }
        workers = (0..<plan.workers).map { SimulatedWorker(number: $0) }
        owners = (0..<plan.runs).map { SimulatedOwner(run: $0, plan) }
        unfinishedRuns = plan.runs
    }

    // MARK: The clock

    /// Plays until all runs are over, or for as long as the plan says.
    mutating func play() -> FleetFigures {
        for run in owners.indices {
            add(.start, of: plan.workers + run, at: dice.roll() * FleetPlan.startOfOwners)
        }
        for worker in workers.indices { add(.start, of: worker, at: dice.roll() * FleetPlan.startOfWorkers) }
        switch plan.incident {
        case .none: break
        case .regionLost(let moment): add(.loss, of: 0, at: moment)
        case .failover(let moment, let absence):
            add(.failure, of: 0, at: moment)
            add(.comeback, of: 0, at: moment + absence)
        }
        add(.second, of: 0, at: 1)
        while unfinishedRuns > 0, let (time, event) = queue.next(), time < plan.end {
            now = time
            handle(event)
        }
        return FleetFigures(self)
    }

    mutating func add(_ kind: Event.Kind, of actor: Int, number: UInt32 = 0, claim: Int = 0, at time: Double)
    {
        queue.add(
            Event(kind: kind, actor: Int32(actor), number: number, claim: UInt32(claim)), at: time)
    }

    private mutating func handle(_ event: Event) {
        let actor = Int(event.actor)
        switch event.kind {
        case .failure: fail(server: actor)
        case .comeback: servers[actor].comeBack(at: now)
        case .loss: loseRegion()
        case .giveUp: giveUp(actor, life: Int(event.number), isListener: event.claim > 0)
        case .second:
            tally.note(second: progress.committedSteps)
            add(.second, of: 0, at: now + 1)
        case _ where callers[actor].isGone: break
        case .start:
            if actor < plan.workers { send(.join, by: actor) } else { begin(owner: actor - plan.workers) }
        case .connected: if isAwaited(event) { connected(actor) }
        case .refused: if isAwaited(event) { lose(actor) }
        case .finished: if isAwaited(event) { finish(actor) }
        case .answered: if isAwaited(event) { hear(actor) }
        case .retry: if isAwaited(event) { transmit(actor) }
        case .bodyEnd: end(bodyOf: Int(event.claim), number: event.number, of: actor)
        case .look: if workers[actor].isAsleep { beginRound(of: actor) }
        case .notice: notice(actor, life: Int(event.number))
        case .listen: if callers[actor].listening == event.number { listen(actor) }
        case .listening: listening(actor, number: event.number, life: Int(event.claim))
        case .tick: tick(owner: actor - plan.workers)
        case .renew: renew(owner: actor - plan.workers)
        }
    }

    private func isAwaited(_ event: Event) -> Bool { callers[Int(event.actor)].number == event.number }

    // MARK: Statements

    /// Has somebody ask its server something; the answer comes by `hear(_:)`, however long that takes.
    mutating func send(_ call: Call, by actor: Int) {
        callers[actor].call = call
        callers[actor].pause = Caller.shortestPause
        callers[actor].number &+= 1
        transmit(actor)
    }

    private mutating func transmit(_ actor: Int) {
        let (server, number) = (callers[actor].server, callers[actor].number)
        guard let call = callers[actor].call else { return }
        guard servers[server].isUp else { return lose(actor) }
        let arrival = now + FleetPlan.thinking + FleetPlan.roundTrip / 2
        callers[actor].sent = servers[server].life
        guard callers[actor].connected == servers[server].life else {
            let isFull = servers[server].connections >= plan.connectionsOfServer
            let end = servers[server].serve(
                isFull ? ServerCosts.refuse : ServerCosts.connect, .connections, at: arrival)
            if isFull { tally.refusedConnections += 1 } else { servers[server].connect() }
            return add(
                isFull ? .refused : .connected, of: actor, number: number, at: end + FleetPlan.roundTrip)
        }
        let tells = tells(call, server)
        var time = ServerCosts.time(of: call, waiting: servers[server].waiting)
        if tells { time += Double(servers[server].listeners) * ServerCosts.signal }
        var end = servers[server].serve(time, call.kind, at: arrival)
        if tells {
            end = servers[server].commitTelling(at: end, writes: ServerCosts.writes(call))
        } else if ServerCosts.writes(call) {
            end += ServerCosts.flush
        }
        add(
            .finished, of: actor, number: number,
            at: end + (ServerCosts.trips(of: call) - 1) * FleetPlan.roundTrip)
    }

    private func tells(_ call: Call, _ server: Int) -> Bool {
        switch call {
        case .tellOwners: true
        case .wakeWorkers: !servers[server].isIdle.isEmpty
        default: false
        }
    }

    private mutating func connected(_ actor: Int) {
        let life = servers[callers[actor].server].life
        guard callers[actor].sent == life else { return lose(actor) }
        callers[actor].connected = life
        transmit(actor)
    }

    /// The statement is over at the server.
    private mutating func finish(_ actor: Int) {
        let server = callers[actor].server
        guard callers[actor].sent == servers[server].life, let call = callers[actor].call else {
            return lose(actor)
        }
        callers[actor].answer = carryOut(call, of: actor)
        add(.answered, of: actor, number: callers[actor].number, at: now + FleetPlan.roundTrip / 2)
    }

    private mutating func hear(_ actor: Int) {
        guard callers[actor].sent == servers[callers[actor].server].life else { return lose(actor) }
        guard let call = callers[actor].call else { return }
        let answer = callers[actor].answer
        callers[actor].call = nil
        callers[actor].answer = .nothing
        if actor < plan.workers {
            hear(answer, to: call, worker: actor)
        } else {
            hear(answer, to: call, owner: actor - plan.workers)
        }
    }

    /// No answer comes: it is asked again after a pause, from the beginning.
    private mutating func lose(_ actor: Int) {
        callers[actor].connected = -1
        add(.retry, of: actor, number: callers[actor].number, at: now + callers[actor].pause)
        callers[actor].pause = min(callers[actor].pause * 2, Caller.longestPause)
    }

    // MARK: Listening

    /// Opens the connection by which somebody hears of news.
    private mutating func listen(_ actor: Int) {
        let server = callers[actor].server
        guard servers[server].isUp, servers[server].connections < plan.connectionsOfServer else {
            if servers[server].isUp {
                tally.refusedConnections += 1
                _ = servers[server].serve(ServerCosts.refuse, .connections, at: now)
            }
            return add(
                .listen, of: actor, number: callers[actor].listening, at: now + Caller.listenerPause)
        }
        servers[server].connect()
        let end = servers[server].serve(
            ServerCosts.connect, .connections, at: now + FleetPlan.thinking + FleetPlan.roundTrip / 2)
        add(
            .listening, of: actor, number: callers[actor].listening, claim: servers[server].life,
            at: end + FleetPlan.roundTrip)
    }

    private mutating func listening(_ actor: Int, number: UInt32, life: Int) {
        let server = callers[actor].server
        guard life == servers[server].life else { return }
        // Another one is wanted by now.
        guard callers[actor].listening == number else { return servers[server].connections -= 1 }
        callers[actor].listens = life
        servers[server].listeners += 1
        // Something may have been told before.
        notice(actor, life: life)
    }

    /// Listens on another channel from now on, by another connection.
    mutating func listenAnew(_ actor: Int, in pause: Double = 0) {
        stopListening(actor)
        add(.listen, of: actor, number: callers[actor].listening, at: now + pause)
    }

    mutating func stopListening(_ actor: Int) {
        let server = callers[actor].server
        if callers[actor].listens == servers[server].life {
            servers[server].listeners -= 1
            servers[server].connections -= 1
        }
        callers[actor].listens = -1
        callers[actor].listening &+= 1
    }

    mutating func disconnect(_ actor: Int) {
        let server = callers[actor].server
        if callers[actor].connected == servers[server].life { servers[server].connections -= 1 }
        callers[actor].connected = -1
    }

    private mutating func notice(_ actor: Int, life: Int) {
        guard callers[actor].listens == life, life == servers[callers[actor].server].life else { return }
        if actor < plan.workers {
            workers[actor].hasNews = true
            if workers[actor].isAsleep { beginRound(of: actor) }
        } else {
            owners[actor - plan.workers].hasNews = true
            talk(owner: actor - plan.workers)
        }
    }

    /// Wakes the actors that a notification is meant for.
    mutating func tell(_ actors: [Int], by server: Int) {
        let end = servers[server].tell(at: now)
        for actor in actors {
            add(
                .notice, of: actor, number: UInt32(servers[server].life),
                at: end + FleetPlan.roundTrip / 2)
        }
    }
}
