import Foundation
import Stepline
import SteplineRuns

/// Lists the titles of a site's pages; a crawl that was killed goes on.
enum CrawlASite {
    struct Row: Codable, Sendable {
        let path: String
        let title: String?
    }

    static func run(_ site: URL, file: URL, print: Print) async throws {
        let workflow = Workflow("crawl")
        let crawl = Crawl(from: site, agent: "cookbook", atMost: 1_000)
        let rows = try workflow.crawl("page", crawl) { Row(path: $0.url.path(), title: $0.html.title) }
        try await workflow.run(in: .file(file), key: "titles")
        for row in try await rows.value.sorted(by: { $0.path < $1.path }) {
            print("\(row.path): \(row.title ?? "untitled")")
        }
    }
}
