/// The verbs of `stepline runs`.
enum RunsVerb: String, Sendable, CaseIterable {
    case list, show, log, result, retry, pause, resume, cancel, signal, fork, forget, prepare

    /// The number of operands.
    var operands: ClosedRange<Int> {
        switch self {
        case .list, .prepare: 0...0
        case .log, .retry, .pause, .resume, .cancel, .fork: 1...1
        case .show, .result: 1...2
        case .signal: 2...3
        case .forget: 0...1
        }
    }
}
