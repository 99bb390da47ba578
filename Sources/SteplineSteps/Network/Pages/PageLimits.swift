/// The limits for following pages.
public struct PageLimits: Sendable, Hashable {
    /// The largest number of pages; exceeding it is an error.
    public var pages: Int

    /// Creates limits.
    public init(pages: Int = 10_000) { self.pages = pages }
}
