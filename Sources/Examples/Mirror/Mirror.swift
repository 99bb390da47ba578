import Foundation
import Stepline
import SteplinePostgreSQL
import SteplineRuns

/// Mirrors the pages that an index links to, and resumes where it was killed.
///
///     Mirror run --store mirror.runs --key today --input '{"site": "https://example.com/", "folder": "copy"}'
///     Mirror runs show today --store mirror.runs
///
/// With a server, machines that share the folder can run it, or Slurm jobs:
///
///     export STEPLINE_STORE=postgresql://runs@db.example.org/runs
///     Mirror runs prepare
///     Mirror work --slots 4
///     Mirror run --key today --input … --on workers
///     Mirror run --key today --input … --on slurm --workers 2..40
@main
struct Mirror: DurableWorkflow {
    static let stores: [RunStoreKind] = [.postgreSQL, .file]

    struct Input: Codable, Sendable {
        /// The page whose links are followed.
        var site: URL
        /// The folder for the saved pages.
        var folder: String
    }

    /// A page that was saved.
    struct Page: Codable, Sendable {
        let name: String
        let size: Int
    }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        let site = Site(index: input.site, folder: URL(filePath: input.folder))
        let retrying = TaskOptions(retry: .exponential(attempts: 3))
        let links = try workflow.add("links", options: retrying) { try await site.links() }
        // Each page is a step of its own, identified by its name after a restart.
        let pages = try workflow.map("page", over: links, limit: 4, options: retrying, key: { $0 }) { link in
            try await site.save(link)
        }
        try workflow.add("contents", after: pages) { pages in try site.writeContents(of: pages) }
    }
}
