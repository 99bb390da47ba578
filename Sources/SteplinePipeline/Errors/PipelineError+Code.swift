extension PipelineError {
    /// The kinds of failure; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A step's body threw an error.
        public static let stepFailed = Code(description: "stepFailed")
        /// An entry that the step reads, or that the pipeline must return, is missing.
        public static let missingInput = Code(description: "missingInput")
        /// An entry has another type than the expected one.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// A subclass doesn't override a required member.
        public static let notImplemented = Code(description: "notImplemented")
        /// A step doesn't support copying.
        public static let notCopyable = Code(description: "notCopyable")
        /// The check found errors; no step has run.
        public static let checkFailed = Code(description: "checkFailed")
        /// An attempt or the whole pipeline exceeded its time limit.
        public static let timedOut = Code(description: "timedOut")
        /// The step already belongs to a pipeline.
        public static let stepInUse = Code(description: "stepInUse")
        /// The step is running or has run; a step runs once.
        public static let stepAlreadyRun = Code(description: "stepAlreadyRun")
        /// The named step belongs to another pipeline, or to none.
        public static let unknownStep = Code(description: "unknownStep")
        /// The pipeline has already passed the place.
        public static let positionPassed = Code(description: "positionPassed")
        /// The pipeline was already started; a pipeline runs once.
        public static let alreadyStarted = Code(description: "alreadyStarted")
        /// The pipeline has ended or is being cancelled.
        public static let ended = Code(description: "ended")
    }
}
