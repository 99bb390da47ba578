/// Why something is where it is: a code and its details to look at, and a sentence for people.
///
/// The layers add their codes in extensions of ``Code``.
public struct Explanation: Sendable, Hashable, CustomStringConvertible {
    /// What something waits for, or how it has ended; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Makes the code of a layer.
        package init(_ name: String) { description = name }

        /// Nobody has started it.
        public static let notStarted = Code("notStarted")
        /// It waits for a thread, or in a queue.
        public static let queued = Code("queued")
        /// An attempt runs.
        public static let running = Code("running")
        /// It waits before another attempt.
        public static let backingOff = Code("backingOff")
        /// It waits for the body of a stopped attempt to end.
        public static let waitsForLastBody = Code("waitsForLastBody")
        /// It was cancelled, and its body hasn't ended.
        public static let cancelling = Code("cancelling")
        /// It has succeeded.
        public static let succeeded = Code("succeeded")
        /// It has failed for good.
        public static let failed = Code("failed")
        /// It was cancelled.
        public static let cancelled = Code("cancelled")
    }

    /// What is explained.
    public let subject: String
    /// Why it is where it is, or how it has ended.
    public let code: Code
    /// The names of what it waits for, or of what keeps it from running.
    public let causes: [String]
    /// The number of the attempt that it is about; nil if it is about none.
    public let attempt: Int?
    /// One sentence.
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
