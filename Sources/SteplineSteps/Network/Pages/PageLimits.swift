/// How far pages are followed.
public struct PageLimits: Sendable, Hashable {
    /// The most pages; one that would follow them is an error.
    public var pages: Int

    /// Makes limits.
    public init(pages: Int = 10_000) { self.pages = pages }
}
