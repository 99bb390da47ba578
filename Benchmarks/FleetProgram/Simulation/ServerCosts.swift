/// The costs of statements at a server, in seconds of processor time, and their round trips.
///
/// Rounded from what `Benchmarks/fleet measure` has found with PostgreSQL 15; what isn't measured says so.
enum ServerCosts {
    static let connect = 0.004
    /// Not measured: a process that is started only in order to refuse.
    static let refuse = 0.001
    static let join = 0.000_05
    static let claim = (base: 0.000_065, step: 0.000_014)
    static let end = (base: 0.000_49, step: 0.000_025)
    static let beat = 0.000_066
    static let readRun = 0.000_031
    static let readResult = 0.000_1
    static let lookForOwnerless = 0.000_03
    static let offer = (base: 0.000_3, step: 0.000_011)
    static let hear = 0.000_115
    static let acknowledge = (base: 0.000_35, step: 0.000_002)
    static let sweep = 0.000_096
    /// Not measured: as one that is much like it.
    static let becomeIdle = beat
    static let renew = beat
    static let handBack = claim
    /// Not measured: a row of a run that is taken over.
    static let readStep = 0.000_003
    static let tell = 0.000_077
    /// A notification signals and wakes each connection that listens in the database, also those it isn't meant for.
    static let signal = 0.000_005_5
    static let wake = 0.000_015
    /// Not measured: for how long a commit that tells something, but writes nothing, is in the way of others that do.
    static let lock = 0.000_05
    /// Not measured, since a server of tests writes nothing through: a commit's way to the disk.
    static let flush = 0.001

    static func time(of call: Call, waiting: Int) -> Double {
        switch call {
        case .join: join
        case .end(let ended): end.base + Double(ended.count) * end.step
        case .tellOwners, .wakeWorkers: tell
        case .beat: beat
        case .handBack(let claims): handBack.base + Double(claims.count) * handBack.step
        case .claim(let count, _): claim.base + Double(min(count, waiting)) * claim.step
        case .becomeIdle: becomeIdle
        case .read(let runs, let results, _): Double(runs) * readRun + Double(results) * readResult
        case .lookForOwnerless: lookForOwnerless
        case .open(let steps): Double(steps) * readStep
        case .sweep: sweep
        case .ends(let acknowledged) where acknowledged.isEmpty: hear
        case .ends(let acknowledged): acknowledge.base + Double(acknowledged.count) * acknowledge.step
        case .offer(let chains): offer.base + Double(chains.count) * offer.step
        }
    }

    /// How often a call goes to the server and back: a transaction's statements go one after the other.
    static func trips(of call: Call) -> Double {
        switch call {
        case .join, .tellOwners, .wakeWorkers, .beat, .claim, .becomeIdle, .lookForOwnerless: 1
        case .end: 6
        case .handBack: 3
        case .read(let runs, let results, _): Double(runs + results)
        case .open: 5
        case .sweep: 3
        case .ends(let acknowledged): acknowledged.isEmpty ? 3 : 4
        case .offer: 4
        }
    }

    /// Whether it writes, so that its commit waits for the disk.
    static func writes(_ call: Call) -> Bool {
        switch call {
        case .read, .lookForOwnerless, .sweep, .tellOwners: false
        default: true
        }
    }
}
