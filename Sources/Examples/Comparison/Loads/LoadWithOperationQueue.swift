import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads and decodes many URLs with operations, each of which holds a thread.
enum LoadWithOperationQueue {
    struct BadStatus: Error { let code: Int }

    static func run(_ urls: [URL]) async throws -> LoadReport {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        let loads = urls.map { Load($0) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                queue.addOperations(loads, waitUntilFinished: false)
                DispatchQueue.global().async {
                    queue.waitUntilAllOperationsAreFinished()
                    ended.resume()
                }
            }
        } onCancel: {
            queue.cancelAllOperations()
        }
        try Task.checkCancellation()
        return LoadReport(urls, loads.map(\.result))
    }

    /// Its result is written by its one thread, and read when the queue has ended.
    final class Load: Operation, @unchecked Sendable {
        let url: URL
        private(set) var result: Result<City, any Error> = .failure(CancellationError())

        init(_ url: URL) { self.url = url }

        override func main() {
            for attempt in 1...4 where !isCancelled {
                result = fetch().flatMap { data in
                    Result { try JSONDecoder().decode(City.self, from: data) }
                }
                guard case .failure(let error) = result, mayPass(error), attempt < 4 else { return }
                Thread.sleep(forTimeInterval: .random(in: 0...0.02) * Double(1 << attempt))
            }
        }

        private func fetch() -> Result<Data, any Error> {
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
            return answer
        }

        private func mayPass(_ error: any Error) -> Bool {
            switch error {
            case let error as BadStatus: [408, 429, 500, 502, 503, 504].contains(error.code)
            case let error as URLError:
                [.timedOut, .networkConnectionLost, .cannotConnectToHost].contains(error.code)
            default: false
            }
        }
    }
}
