public import protocol Foundation.LocalizedError

/// The reason why a simulation couldn't end.
public struct SimulationError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: String, Sendable {
        /// Nothing can go on, and the scenario hasn't ended: it waits for something that nobody does.
        case stuck
        /// A body blocks the simulation's thread, and with it the whole run.
        case blocked
        /// The run doesn't end.
        case endless
        /// A simulation was run twice.
        case usedTwice
    }

    /// The kind of the error.
    package let code: Code
    /// The same in words.
    public let description: String
    /// The same text as ``description``.
    public var errorDescription: String? { description }
    /// The settings of the simulation that was blocked, if it was.
    let blocked: PlaySettings?

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
        blocked = nil
    }

    init(blocked settings: PlaySettings, log: String, for patience: Duration) {
        code = .blocked
        var text =
            "something blocks the thread of the play, for longer than \(patience) (seed \(settings.seed))"
        if !log.isEmpty { text += "; what began last:\n\(log)" }
        description = text
        blocked = settings
    }

    static func tooManyOrders(_ limit: Int) -> SimulationError {
        SimulationError(.endless, "there are more than \(limit) orders: play by seeds")
    }

    static let usedTwice = SimulationError(.usedTwice, "a simulation plays once: make another")
}

/// Something that was expected of a play, and doesn't hold.
package struct UnmetExpectation: Error, Sendable, CustomStringConvertible {
    let what: String
    let place: String

    /// The description and the place.
    package var description: String { what.isEmpty ? "expectation failed at \(place)" : "\(what) (\(place))" }
}

/// The end of a run.
enum PlayEnd: Sendable {
    case over
    case stuck(SimulationError)
}
