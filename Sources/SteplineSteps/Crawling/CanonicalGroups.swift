import Foundation

/// The first page of each group of pages with one canonical address.
struct CanonicalGroups: Sendable {
    /// The first pages, by the URLs of a group's pages and by the canonical address.
    private var first: [String: String] = [:]
    /// Whether the first start has ended, so that its next begin follows a reset.
    var hasStarted = false

    /// Begins the first start: a crawl that was reset finds other pages.
    mutating func begin() {
        if hasStarted { self = CanonicalGroups() }
    }

    /// Returns whether a page is the first of its group, and notes that it is if the group has none.
    mutating func isFirst(_ url: URL, _ canonical: URL?) -> Bool {
        let (own, other) = (url.absoluteString, canonical?.absoluteString)
        let page = first[own] ?? other.flatMap { first[$0] } ?? own
        first[own] = page
        if let other, first[other] == nil { first[other] = page }
        return page == own
    }
}
