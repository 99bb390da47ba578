import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Adds up the sizes of a site's pages with operations; a journal keeps the known sizes.
enum SurveyWithOperationQueue {
    struct BadStatus: Error { let code: Int }

    static func run(_ site: URL, keptIn file: URL) async throws -> Int {
        let journal = try Journal(file)
        let (list, _) = try await URLSession.shared.data(from: site.appending(path: "pages"))
        let pages = try JSONDecoder().decode([String].self, from: list)
        let missing = pages.filter { journal.sizes[$0] == nil }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        // Accessed only on this queue while operations run.
        let writing = DispatchQueue(label: "journal")
        nonisolated(unsafe) var failure: (any Error)?
        nonisolated(unsafe) let lines = journal
        await queue.run(
            missing.map { page in
                Measure(site.appending(path: page)) { result in
                    writing.sync {
                        do { try lines.write(page, result.get()) } catch { failure = failure ?? error }
                    }
                }
            })
        if let failure { throw failure }
        return pages.compactMap { journal.sizes[$0] }.reduce(0, +)
    }

    private final class Measure: AsyncOperation, @unchecked Sendable {
        private let url: URL
        private let done: @Sendable (Result<Int, any Error>) -> Void

        init(_ url: URL, done: @escaping @Sendable (Result<Int, any Error>) -> Void) {
            self.url = url
            self.done = done
        }

        override func main() {
            let task = URLSession.shared.dataTask(with: url) { [self] data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                if let data, status == 200, error == nil {
                    done(.success(data.count))
                } else {
                    done(.failure(error ?? BadStatus(code: status)))
                }
                finish()
            }
            onCancel { task.cancel() }
            task.resume()
        }
    }
}
