/// A release with a diamond-shaped graph.
///
/// The source is built and tested concurrently. Both results are packed. After a decision the package is published.
protocol Release: Sendable {
    init(_ workshop: Workshop) throws
    /// Does the remaining work, and returns what was published; cancel the calling Swift task to stop it.
    func attempt() async throws -> String
    /// Sets the decision whether to publish, before or while the release waits for it.
    func decide(_ mayPublish: Bool) async
}

/// The error of a release that must not be published.
struct Refused: Error {}
