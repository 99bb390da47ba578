public import Foundation
public import SteplineSupport

/// Why a store can't do what it was asked for; nothing has changed by the call that threw it.
public struct RunStoreError: LocalizedError, ErrorWithCause, Sendable {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The run has a living owner.
        public static let inProgress = Code("inProgress")
        /// There is no such run.
        public static let noSuchRun = Code("noSuchRun")
        /// The run has no such step, or that hasn't begun.
        public static let noSuchStep = Code("noSuchStep")
        /// The step has not finished.
        public static let notFinished = Code("notFinished")
        /// The result of the step is of another type, or isn't kept.
        public static let wrongType = Code("wrongType")
        /// Somebody else has become the owner of the run.
        public static let ownershipLost = Code("ownershipLost")
        /// The file isn't a store.
        public static let notAStore = Code("notAStore")
        /// The store was made by a later program, whose layout isn't known here.
        public static let newerLayout = Code("newerLayout")
        /// The database has no tables for runs yet, or those of an older layout.
        public static let notPrepared = Code("notPrepared")
        /// What is in the store isn't what was written.
        public static let damaged = Code("damaged")
        /// A result isn't what was written, or is gone.
        public static let resultDamaged = Code("resultDamaged")
        /// There is no space left.
        public static let full = Code("full")
        /// A result is larger than the store can keep.
        public static let tooLarge = Code("tooLarge")
        /// The store may not be written.
        public static let readOnly = Code("readOnly")
        /// Others have kept the store busy for too long.
        public static let busy = Code("busy")
        /// The store can't be where it is asked to be.
        public static let unsuitablePlace = Code("unsuitablePlace")
        /// The system refused something.
        public static let unavailable = Code("unavailable")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The store's name.
    public let store: String
    /// Who has the run, for ``Code/inProgress``.
    public let owner: RunOwner?
    /// The cause.
    public let underlying: (any Error)?

    private let detail: String

    /// An error of a store, with a sentence that says what it is about.
    public init(
        _ code: Code, store: String, _ detail: String, owner: RunOwner? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.store = store
        self.detail = detail
        self.owner = owner
        self.underlying = underlying
    }

    /// One readable line: `mirror.runs: the disk is full`.
    public var errorDescription: String? { description }
}

extension RunStoreError: CustomStringConvertible {
    /// One readable line: `mirror.runs: the disk is full`.
    public var description: String {
        let cause = underlying.map { ": \(ErrorText.line($0))" } ?? ""
        return "\(store): \(detail)\(cause)"
    }
}
