/// A secret and its source; the value is never shown or stored.
struct FlowSecret: Sendable {
    enum Source: Sendable {
        /// An environment variable.
        case environment(String)
        /// The content of a file without its final newline.
        case file(FlowPath)
        /// The output of a program without its final newline.
        case command(FlowProgram)
        /// An invalid source that was already reported.
        case broken
    }

    let name: String
    let offset: Int
    let source: Source
}
