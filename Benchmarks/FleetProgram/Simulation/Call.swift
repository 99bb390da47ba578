import SteplineRuns

/// A body that is over: the claim by which its worker holds the step, and the step.
struct EndedBody {
    let claim: Int
    let step: Int
}

/// A statement that a worker or an owner sends to its server, and waits for.
enum Call {
    // Of workers.
    case join
    case end([EndedBody])
    case tellOwners([Int])
    case beat
    case handBack([Int])
    case claim(Int, risky: Bool)
    case becomeIdle
    /// Reads the inputs of runs that it hasn't built, and the results that steps stand on; then their bodies begin.
    case read(runs: Int, results: Int, of: [ClaimedStep])
    case lookForOwnerless
    // Of owners.
    case open(Int)
    case sweep
    case ends([AcknowledgedEnd])
    case offer([Int32])
    // Of both.
    /// Tells workers that wait that there is something to do: at most that many.
    case wakeWorkers(Int, after: Cause)

    enum Cause { case offers, handBack, sweep }

    enum Kind: Int, CaseIterable {
        case claims = 0
        case ends, reads, beats, offers, acknowledgements, notices, connections, rest
    }

    var kind: Kind {
        switch self {
        case .end: .ends
        case .claim: .claims
        case .read, .open: .reads
        case .beat, .lookForOwnerless: .beats
        case .offer: .offers
        case .ends: .acknowledgements
        case .tellOwners, .wakeWorkers: .notices
        case .join, .handBack, .becomeIdle, .sweep: .rest
        }
    }
}

/// The answer of a server.
enum Answer {
    case nothing
    case membership(Int)
    case runsToTell([Int])
    case beat(WorkerBeat?)
    case claims([ClaimedStep])
    case isNew(Bool)
    case ends([StepEnd])
    case found(Bool)
}

/// A client of a server, with one statement at a time: a worker, or the owner of a run.
struct Caller {
    let server: Int
    let region: Int
    var isGone = false
    /// The life of the server that it has a connection of, and that in which it listens; -1 for none.
    var connected = -1
    var listens = -1
    /// Which attempt to listen is the latest one.
    var listening: UInt32 = 0
    /// The statement that waits for its answer.
    var call: Call?
    var answer = Answer.nothing
    /// Which call that is.
    var number: UInt32 = 0
    /// The life of the server that it was sent in.
    var sent = -1
    var pause = Caller.shortestPause

    static let shortestPause = 0.02
    static let longestPause = 5.0
    /// How long a listener waits between two attempts to connect.
    static let listenerPause = 0.3
}
