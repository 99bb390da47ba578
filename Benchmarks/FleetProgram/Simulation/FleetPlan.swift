/// The plan of a play: the amounts of everything, and the incidents.
package struct FleetPlan: Sendable {
    package enum Incident: Sendable {
        case none
        /// One of the three regions is gone at once: its workers, and the owners of runs.
        case regionLost(at: Double)
        /// One server is away for that long.
        case failover(at: Double, for: Double)

        var moment: Double? {
            switch self {
            case .none: nil
            case .regionLost(let moment), .failover(let moment, _): moment
            }
        }

        /// For how long a server is away.
        var absence: Double {
            if case .failover(_, let absence) = self { absence } else { 0 }
        }
    }

    package var name: String
    package var seed: UInt64 = 1
    package var workers: Int
    package var slots = 8
    package var runs: Int
    package var stepsOfRun: Int
    /// How many steps of a run may run beside each other: it is that many chains.
    package var chainsOfRun: Int
    package var servers = 1
    /// Of all servers together.
    package var cores = 32
    package var connectionsOfServer = 25_000
    package var incident = Incident.none
    package var lease = 15.0
    /// Whether nobody is taken for dead before a server has been there for a lease.
    package var sparesAfterStart = false
    /// When it is given up, if it isn't over.
    package var end = 3600.0
    package init(_ name: String, workers: Int, runs: Int, stepsOfRun: Int, chainsOfRun: Int) {
        self.name = name
        self.workers = workers
        self.runs = runs
        self.stepsOfRun = stepsOfRun
        self.chainsOfRun = chainsOfRun
    }

    /// A plan whose workers have work for nine of ten slots.
    package init(_ name: String, workers: Int, slots: Int = 8, runs: Int? = nil, stepsOfWorker: Int = 1000) {
        let runs = runs ?? max(1, workers / 100)
        self.init(
            name, workers: workers, runs: runs, stepsOfRun: workers * stepsOfWorker / runs,
            chainsOfRun: workers * slots * 9 / 10 / runs)
        self.slots = slots
    }

    /// The same with other servers, or with something that goes wrong.
    package func changed(_ name: String, _ change: (inout FleetPlan) -> Void) -> FleetPlan {
        var plan = self
        plan.name = name
        change(&plan)
        return plan
    }

    package var steps: Int { runs * stepsOfRun }

    // MARK: What a body takes, and the way to a server, in seconds

    static let body = 4.0...12.0
    static let meanBody = 8.0
    static let roundTrip = 0.001
    /// The time of a worker or owner between two statements, in seconds.
    static let thinking = 0.000_1
    static let regions = 3
    static let startOfOwners = 5.0
    static let startOfWorkers = 30.0
    /// When all workers have been there for a while.
    static let settled = 45.0
    /// After that long a server gives up connections whose other end is gone.
    static let patienceOfServer = 15.0

    /// How many steps would end each second if nothing but bodies took any time.
    package var ideal: Double {
        Double(min(chainsOfRun * runs, workers * slots)) / Self.meanBody
    }
}
