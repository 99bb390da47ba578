/// A value that is never shown and never kept: where it comes from when the workflow is run.
struct FlowSecret: Sendable {
    enum Source: Sendable {
        /// A variable of the environment.
        case environment(String)
        /// What stands in a file, without the line's end behind it.
        case file(FlowPath)
        /// What a program writes, without the line's end behind it.
        case command(FlowProgram)
        /// One that couldn't be read, and has been told.
        case broken
    }

    let name: String
    let offset: Int
    let source: Source
}
