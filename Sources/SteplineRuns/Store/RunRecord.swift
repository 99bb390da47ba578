public import Foundation

/// The way in which a run ended.
public enum RunEnding: Sendable, Hashable, Codable {
    /// All steps finished.
    case finished
    /// At least one step failed permanently.
    case failed
    /// The run was cancelled for the given reason.
    case cancelled(String)
    /// Some steps were never started, and none failed.
    case incomplete
}

/// The stored state of a run.
public struct RunRecord: Sendable, Hashable, Codable {
    /// The identity of the run.
    public var id: RunID
    /// The date of creation.
    public var created: Date
    /// The ending; nil before the first opening, while the run is in progress, and after an interruption.
    public var ending: RunEnding?
    /// The date of the ending.
    public var ended: Date?
    /// The owner of the latest opening; before the first one, the process that created the run.
    public var owner: RunOwner
    /// Whether the latest owner is alive and still holds the run.
    public var isOpen: Bool
    /// The number of openings so far.
    public var openings: Int
    /// The number of finished steps.
    public var finished: Int
    /// The number of permanently failed steps.
    public var failed: Int
    /// The input that the run was created with.
    public var input: Data?

    /// Creates a record from stored values.
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
