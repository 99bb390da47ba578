public import Foundation
public import SteplineSupport

/// An error of a durable run or of one of its steps.
public struct DurableRunError: LocalizedError, ErrorWithCause, Sendable, CustomStringConvertible {
    /// The kinds of failure; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The result of a step can't be stored.
        public static let notStorable = Code("notStorable")
        /// The workflow has been run or changed already, so stored states can't be restored into it.
        public static let notFresh = Code("notFresh")
        /// The run with that key was cancelled and stays cancelled.
        public static let cancelled = Code("cancelled")
        /// The run was stored by a newer version of the program.
        public static let outdated = Code("outdated")
        /// The environment variable of a ``Secret`` isn't set.
        public static let secretMissing = Code("secretMissing")
        /// A signal names an unknown condition, or its value has the wrong type.
        public static let invalidSignal = Code("invalidSignal")
        /// The run exists with another input.
        public static let otherInput = Code("otherInput")
        /// The key is empty or longer than 1 KiB.
        public static let invalidKey = Code("invalidKey")
    }

    /// The kind of failure.
    public let code: Code
    /// The step or run that failed.
    public let subject: String
    /// The underlying error.
    public let underlying: (any Error)?

    private let detail: String

    init(_ code: Code, _ subject: String, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.subject = subject
        self.detail = detail
        self.underlying = underlying
    }

    /// The description.
    public var errorDescription: String? { description }

    /// The error in one readable line: `page/7: its result can't be kept: …`.
    public var description: String {
        let cause = underlying.map { ": \(ErrorText.line($0))" } ?? ""
        return "\(subject): \(detail)\(cause)"
    }
}
