/// The counts during a play.
struct Tally {
    var rows = 0
    var refusedConnections = 0
    /// Steps that somebody handed in who didn't hold them any more.
    var refusedEnds = 0
    /// Workers that were taken for dead, and steps that they had.
    var lostMemberships = 0
    var lostSteps = 0
    var failedSteps = 0
    var takenOver = 0
    var longestWait = 0.0
    var waits = 0.0
    var waited = 0
    /// When a body began last that had begun before.
    var lastRepeated = 0.0
    /// How many steps were committed after each second.
    private(set) var seconds: [Int] = [0]

    mutating func note(second committed: Int) { seconds.append(committed) }

    mutating func note(wait: Double) {
        longestWait = max(longestWait, wait)
        waits += wait
        waited += 1
    }
}
