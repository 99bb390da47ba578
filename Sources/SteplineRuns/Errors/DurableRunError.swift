public import Foundation
public import SteplineSupport

/// Why a durable run, or a step of one, has failed.
public struct DurableRunError: LocalizedError, ErrorWithCause, Sendable, CustomStringConvertible {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The result of a step can't be kept.
        public static let notStorable = Code("notStorable")
        /// The workflow has been run already, and can't be put where another run stood.
        public static let notFresh = Code("notFresh")
        /// The run of that key was cancelled, and stays so.
        public static let cancelled = Code("cancelled")
        /// The run was made by a newer version of the program.
        public static let outdated = Code("outdated")
        /// The environment hasn't the variable of a ``Secret``.
        public static let secretMissing = Code("secretMissing")
        /// A signal names no condition of the workflow, or its value is of another type.
        public static let invalidSignal = Code("invalidSignal")
        /// The key is empty, or longer than 1 KB.
        public static let invalidKey = Code("invalidKey")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The step or run that it is about.
    public let subject: String
    /// The cause.
    public let underlying: (any Error)?

    private let detail: String

    init(_ code: Code, _ subject: String, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.subject = subject
        self.detail = detail
        self.underlying = underlying
    }

    /// One readable line.
    public var errorDescription: String? { description }

    /// One readable line: `page/7: its result can't be kept: …`.
    public var description: String {
        let cause = underlying.map { ": \(ErrorText.line($0))" } ?? ""
        return "\(subject): \(detail)\(cause)"
    }
}
