extension PipelineError {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A step's body threw.
        public static let stepFailed = Code(description: "stepFailed")
        /// An entry that the step reads, or that the pipeline is to make, isn't there.
        public static let missingInput = Code(description: "missingInput")
        /// An entry has another type than the one wanted.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// A subclass has not overridden what it must.
        public static let notImplemented = Code(description: "notImplemented")
        /// A step can't be copied.
        public static let notCopyable = Code(description: "notCopyable")
        /// The check found errors, so nothing was run.
        public static let checkFailed = Code(description: "checkFailed")
        /// An attempt or the whole pipeline took longer than it may.
        public static let timedOut = Code(description: "timedOut")
        /// The step belongs to a pipeline already.
        public static let stepInUse = Code(description: "stepInUse")
        /// The step has run, or runs; a step runs once.
        public static let stepAlreadyRun = Code(description: "stepAlreadyRun")
        /// The step that was named belongs to another pipeline, or to none.
        public static let unknownStep = Code(description: "unknownStep")
        /// The pipeline has already passed that place.
        public static let positionPassed = Code(description: "positionPassed")
        /// The pipeline has been started; a pipeline runs once.
        public static let alreadyStarted = Code(description: "alreadyStarted")
        /// The pipeline has ended, or is being cancelled.
        public static let ended = Code(description: "ended")
    }
}
