import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads and decodes many URLs in a task group.
enum LoadWithTaskGroup {
    struct BadStatus: Error { let code: Int }

    static func run(_ urls: [URL]) async throws -> LoadReport {
        var results = [Result<City, any Error>?](repeating: nil, count: urls.count)
        await withTaskGroup(of: (Int, Result<City, any Error>).self) { group in
            for (index, url) in urls.enumerated() {
                // At most eight loads run: start another when one ends.
                if index >= 8, let (place, result) = await group.next() { results[place] = result }
                group.addTask { (index, await patiently { try await load(url) }) }
            }
            for await (place, result) in group { results[place] = result }
        }
        try Task.checkCancellation()
        return LoadReport(urls, results.compactMap { $0 })
    }

    private static func load(_ url: URL) async throws -> City {
        let (data, response) = try await URLSession.shared.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw BadStatus(code: status) }
        return try JSONDecoder().decode(City.self, from: data)
    }

    private static func patiently(_ load: () async throws -> City) async -> Result<City, any Error> {
        var attempt = 1
        while true {
            do {
                return .success(try await load())
            } catch {
                guard attempt < 4, mayPass(error) else { return .failure(error) }
                try? await Task.sleep(for: .milliseconds(Double.random(in: 0...Double(20 << attempt))))
                attempt += 1
            }
        }
    }

    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as BadStatus: [408, 429, 500, 502, 503, 504].contains(error.code)
        case let error as URLError:
            [.timedOut, .networkConnectionLost, .cannotConnectToHost].contains(error.code)
        default: false
        }
    }
}
