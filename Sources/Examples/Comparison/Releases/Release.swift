/// A graph with a diamond in it: the source is built and tested at once, both are packed, and when somebody has said
/// yes, the package is published.
protocol Release: Sendable {
    init(_ workshop: Workshop) throws
    /// Does what hasn't been done, and gives what was published. To cancel it is to cancel the Swift task that waits.
    func attempt() async throws -> String
    /// Says whether it may be published: before somebody asks, or while they wait.
    func decide(_ mayPublish: Bool) async
}

/// It was decided that nothing is published.
struct Refused: Error {}
