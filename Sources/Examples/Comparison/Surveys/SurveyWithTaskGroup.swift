import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Adds up the sizes of a site's pages in a task group; a journal keeps the known sizes.
enum SurveyWithTaskGroup {
    struct BadStatus: Error { let code: Int }

    static func run(_ site: URL, keptIn file: URL) async throws -> Int {
        let journal = try Journal(file)
        let pages = try JSONDecoder().decode([String].self, from: await load(site.appending(path: "pages")))
        let missing = pages.filter { journal.sizes[$0] == nil }
        try await withThrowingTaskGroup(of: (String, Int).self) { group in
            for (index, page) in missing.enumerated() {
                if index >= 4, let (page, size) = try await group.next() { try journal.write(page, size) }
                group.addTask { (page, try await load(site.appending(path: page)).count) }
            }
            for try await (page, size) in group { try journal.write(page, size) }
        }
        return pages.compactMap { journal.sizes[$0] }.reduce(0, +)
    }

    private static func load(_ url: URL) async throws -> Data {
        let (data, response) = try await URLSession.shared.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw BadStatus(code: status) }
        return data
    }
}
