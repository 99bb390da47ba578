import Foundation
import Stepline

/// Loads a feed in any format, and lists its newest items.
enum ParseAFeed {
    static func run(_ url: URL, print: Print) async throws {
        let feed = try await Pipeline.run {
            URLLoadStep(url).retrying(.exponential(attempts: 4))
            FeedStep()
        }
        print("\(feed.title ?? "untitled"), \(feed.items.count) items")
        for item in feed.items.prefix(2) {
            print("\(item.date?.formatted(.iso8601) ?? "undated")  \(item.title ?? "untitled")")
        }
    }
}
