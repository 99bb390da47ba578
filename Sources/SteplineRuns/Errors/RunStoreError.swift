public import Foundation
public import SteplineSupport

/// An error of a store; the call that threw it has changed nothing.
public struct RunStoreError: LocalizedError, ErrorWithCause, Sendable {
    /// The kinds of failure; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The run has a living owner.
        public static let inProgress = Code("inProgress")
        /// The run doesn't exist.
        public static let noSuchRun = Code("noSuchRun")
        /// The run has no such step, or the step hasn't begun.
        public static let noSuchStep = Code("noSuchStep")
        /// The step hasn't finished.
        public static let notFinished = Code("notFinished")
        /// The step's result has another type or isn't stored.
        public static let wrongType = Code("wrongType")
        /// Another process has become the owner of the run.
        public static let ownershipLost = Code("ownershipLost")
        /// The file isn't a store.
        public static let notAStore = Code("notAStore")
        /// The store was created by a newer version, whose layout is unknown.
        public static let newerLayout = Code("newerLayout")
        /// The database has no tables for runs, or those of an older layout.
        public static let notPrepared = Code("notPrepared")
        /// The store's content is damaged.
        public static let damaged = Code("damaged")
        /// A result is damaged or missing.
        public static let resultDamaged = Code("resultDamaged")
        /// No space is left.
        public static let full = Code("full")
        /// A result exceeds the largest size that the store accepts.
        public static let tooLarge = Code("tooLarge")
        /// The store can't be written.
        public static let readOnly = Code("readOnly")
        /// Other processes blocked the store for too long.
        public static let busy = Code("busy")
        /// The location is unsuitable for a store.
        public static let unsuitablePlace = Code("unsuitablePlace")
        /// The system or the server refused an operation.
        public static let unavailable = Code("unavailable")
    }

    /// The kind of failure.
    public let code: Code
    /// The name of the store.
    public let store: String
    /// The current owner of the run, for ``Code/inProgress``.
    public let owner: RunOwner?
    /// The underlying error.
    public let underlying: (any Error)?

    private let detail: String

    /// Creates an error of a store.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - store: The name of the store.
    ///   - detail: A phrase that names the subject and the failure.
    ///   - owner: The owner of the run, for ``Code/inProgress``.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code, store: String, _ detail: String, owner: RunOwner? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.store = store
        self.detail = detail
        self.owner = owner
        self.underlying = underlying
    }

    /// The description.
    public var errorDescription: String? { description }
}

extension RunStoreError: CustomStringConvertible {
    /// The error in one readable line: `mirror.runs: the disk is full`.
    public var description: String {
        let cause = underlying.map { ": \(ErrorText.line($0))" } ?? ""
        return "\(store): \(detail)\(cause)"
    }
}
