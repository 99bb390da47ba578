/// The explanation of a state: a code with details for programs, and a sentence for people.
///
/// The modules add their codes in extensions of ``Code``.
public struct Explanation: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of waits and ends; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Makes the code of a layer.
        package init(_ name: String) { description = name }

        /// The subject was not started.
        public static let notStarted = Code("notStarted")
        /// The subject waits for a thread or in a queue.
        public static let queued = Code("queued")
        /// An attempt is running.
        public static let running = Code("running")
        /// The subject waits before another attempt.
        public static let backingOff = Code("backingOff")
        /// The subject waits for the end of a stopped attempt's body.
        public static let waitsForLastBody = Code("waitsForLastBody")
        /// The subject was cancelled, and its body hasn't ended.
        public static let cancelling = Code("cancelling")
        /// The subject has succeeded.
        public static let succeeded = Code("succeeded")
        /// The subject has failed, and no attempt follows.
        public static let failed = Code("failed")
        /// The subject was cancelled.
        public static let cancelled = Code("cancelled")
    }

    /// The name of the explained step, task or pipeline.
    public let subject: String
    /// The kind of wait or end.
    public let code: Code
    /// The names of the awaited or blocking tasks.
    public let causes: [String]
    /// The number of the attempt; nil if none is concerned.
    public let attempt: Int?
    /// The explanation as a sentence.
    public let description: String

    /// Makes an explanation; the sentence begins with the subject.
    package init(
        of subject: String, _ code: Code, causes: [String] = [], attempt: Int? = nil, _ predicate: String
    ) {
        self.subject = subject
        self.code = code
        self.causes = causes
        self.attempt = attempt
        description = "\(subject) \(predicate)."
    }
}
