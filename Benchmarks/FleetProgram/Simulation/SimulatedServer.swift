import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting

/// A server: the store's rules, and what they cost.
///
/// Statements queue for its processors in the order in which they come. One transaction at a time commits that tells others
/// something. Then it signals all connections that listen in the database, whoever is meant, and all of them wake; those
/// that haven't woken yet from what was told before wake once.
struct SimulatedServer {
    var board: OfferBoard
    /// How often it has started; connections are of one of its lives.
    var life = 0
    var isUp = true
    var started = 0.0
    var connections = 0
    var mostConnections = 0
    var listeners = 0
    /// How many steps are offered and in nobody's hands.
    var waiting = 0
    /// Workers that have found nothing, in that order; some of them have something by now.
    var idle: [Int32] = []
    var firstIdle = 0
    var isIdle: Set<Int32> = []
    /// No lease of a worker's is over before that.
    var nextLeaseEnd = 0.0
    /// Seconds of its processors that each kind of statement has taken.
    private(set) var busy = [Double](repeating: 0, count: Call.Kind.allCases.count)
    private(set) var calls = 0
    private(set) var waves = 0
    private(set) var lockTime = 0.0
    private var processors: [Double]
    private var lock = 0.0
    private var wave = (start: -1.0, end: -1.0)

    init(lease: Double, cores: Int) {
        board = OfferBoard(lease: lease)
        processors = [Double](repeating: 0, count: cores)
    }

    /// When a statement is over that comes at that moment and takes that long.
    mutating func serve(_ time: Double, _ kind: Call.Kind, at moment: Double) -> Double {
        var least = 0
        for place in processors.indices where processors[place] < processors[least] { least = place }
        let end = max(moment, processors[least]) + time
        processors[least] = end
        busy[kind.rawValue] += time
        calls += 1
        return end
    }

    /// When a transaction has committed that tells something, and has done all else by that moment.
    mutating func commitTelling(at moment: Double, writes: Bool) -> Double {
        let time = ServerCosts.lock + (writes ? ServerCosts.flush : 0)
        lock = max(moment, lock) + time
        lockTime += time
        return lock
    }

    /// Wakes all that listen; when the last of them has heard.
    mutating func tell(at moment: Double) -> Double {
        guard moment > wave.start, listeners > 0 else { return max(wave.end, moment) }
        let each = Double(listeners) * ServerCosts.wake / Double(processors.count)
        let start = max(moment, processors.min() ?? moment)
        for place in processors.indices { processors[place] = max(processors[place], start) + each }
        wave = (start, processors.max() ?? start)
        busy[Call.Kind.notices.rawValue] += each * Double(processors.count)
        waves += 1
        return wave.end
    }

    /// Is gone, with all its connections and what they were doing; what was committed is kept.
    mutating func fail(at moment: Double) {
        isUp = false
        life += 1
        connections = 0
        listeners = 0
    }

    mutating func comeBack(at moment: Double) {
        isUp = true
        started = moment
        for place in processors.indices { processors[place] = moment }
        lock = moment
        wave = (-1, -1)
    }

    mutating func connect() {
        connections += 1
        mostConnections = max(mostConnections, connections)
    }

    // MARK: Workers that have found nothing

    mutating func becomeIdle(_ worker: Int32) -> Bool {
        guard isIdle.insert(worker).inserted else { return false }
        idle.append(worker)
        return true
    }

    mutating func takeIdle() -> Int32? {
        while firstIdle < idle.count {
            let worker = idle[firstIdle]
            firstIdle += 1
            if firstIdle == 4096 {
                idle.removeFirst(firstIdle)
                firstIdle = 0
            }
            if isIdle.remove(worker) != nil { return worker }
        }
        return nil
    }
}
