import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads and decodes many URLs with operations.
enum LoadWithOperationQueue {
    struct BadStatus: Error { let code: Int }

    static func run(_ urls: [URL]) async throws -> LoadReport {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        let loads = urls.map { Load($0) }
        await queue.run(loads)
        try Task.checkCancellation()
        return LoadReport(urls, loads.map(\.result))
    }

    /// A load whose result is written by its handlers one after the other, and read after its end.
    private final class Load: AsyncOperation, @unchecked Sendable {
        private let url: URL
        private(set) var result: Result<City, any Error> = .failure(CancellationError())

        init(_ url: URL) { self.url = url }

        override func main() { attempt(1) }

        private func attempt(_ number: Int) {
            let task = URLSession.shared.dataTask(with: url) { [self] data, response, error in
                result = Result { try decode(data, response, error) }
                guard case .failure(let error) = result, mayPass(error), number < 4, !isCancelled else {
                    return finish()
                }
                let delay = Double.random(in: 0...Double(20 << number))
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay))) {
                    self.attempt(number + 1)
                }
            }
            onCancel { task.cancel() }
            task.resume()
        }

        private func decode(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) throws -> City {
            if let error { throw error }
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            guard let data, status == 200 else { throw BadStatus(code: status) }
            return try JSONDecoder().decode(City.self, from: data)
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
