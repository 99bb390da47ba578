import Foundation
import Stepline

/// Limits requests per host, and caches fresh responses.
enum BePolite {
    static func run(_ urls: [URL], folder: URL, print: Print) async throws {
        var options = LoadOptions()
        options.perHost = HostLimits(connections: 2, requestsPerSecond: 50)
        let cache = HTTPCache.folder(folder)
        for url in urls {
            let load = Pipeline { URLLoadStep(url, cache: cache, options: options) }
            let page = try await load.run()
            let source = load.content?[.loadSource] ?? .network
            print("\(url.lastPathComponent): \(page.count) bytes from the \(source)")
        }
    }
}
