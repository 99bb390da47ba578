public import Foundation

/// How a run has ended.
public enum RunEnding: Sendable, Hashable, Codable {
    /// All that was to be done is done.
    case finished
    /// Steps have failed for good.
    case failed
    /// Somebody cancelled it, with that reason.
    case cancelled(String)
    /// Some steps were never started.
    case incomplete
}

/// A run as a store knows it.
public struct RunRecord: Sendable, Hashable, Codable {
    /// Its name.
    public var id: RunID
    /// When it was first opened.
    public var created: Date
    /// How it ended; nil if it goes on, or was interrupted.
    public var ending: RunEnding?
    /// When it ended.
    public var ended: Date?
    /// Who has opened it last.
    public var owner: RunOwner
    /// Whether that owner is alive and has it open.
    public var isOpen: Bool
    /// How often it was opened.
    public var openings: Int
    /// How many of its steps have finished.
    public var finished: Int
    /// How many have failed for good.
    public var failed: Int
    /// What it was started with.
    public var input: Data?

    /// A run as a store has kept it.
    public init(
        id: RunID, created: Date, ending: RunEnding?, ended: Date?, owner: RunOwner, isOpen: Bool,
        openings: Int, finished: Int, failed: Int, input: Data?
    ) {
        self.id = id
        self.created = created
        self.ending = ending
        self.ended = ended
        self.owner = owner
        self.isOpen = isOpen
        self.openings = openings
        self.finished = finished
        self.failed = failed
        self.input = input
    }
}
