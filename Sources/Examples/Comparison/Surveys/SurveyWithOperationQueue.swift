import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Adds up the sizes of a site's pages with operations; a journal keeps those that are known.
enum SurveyWithOperationQueue {
    struct BadStatus: Error { let code: Int }

    static func run(_ site: URL, keptIn file: URL) throws -> Int {
        // Written by the operations, one after the other, and by nobody else.
        nonisolated(unsafe) let journal = try Journal(file)
        nonisolated(unsafe) var failure: (any Error)?
        let serial = DispatchQueue(label: "journal")
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4

        let pages = try JSONDecoder().decode([String].self, from: load(site.appending(path: "pages")))
        for page in pages where journal.sizes[page] == nil {
            queue.addOperation {
                do {
                    let size = try load(site.appending(path: page)).count
                    try serial.sync { try journal.write(page, size) }
                } catch {
                    serial.sync { failure = error }
                    queue.cancelAllOperations()
                }
            }
        }
        queue.waitUntilAllOperationsAreFinished()
        if let failure { throw failure }
        return pages.compactMap { journal.sizes[$0] }.reduce(0, +)
    }

    private static func load(_ url: URL) throws -> Data {
        nonisolated(unsafe) var answer: Result<Data, any Error> = .failure(URLError(.unknown))
        let answered = DispatchSemaphore(value: 0)
        let task = URLSession.shared.dataTask(with: url) { data, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if let error {
                answer = .failure(error)
            } else if let data, status == 200 {
                answer = .success(data)
            } else {
                answer = .failure(BadStatus(code: status))
            }
            answered.signal()
        }
        task.resume()
        answered.wait()
        return try answer.get()
    }
}
