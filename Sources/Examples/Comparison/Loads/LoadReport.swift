import Foundation

/// A record to load.
struct City: Codable, Sendable {
    let name: String
}

/// The result of many loads: the loaded cities in the order of the URLs, and the failures.
struct LoadReport: Sendable, CustomStringConvertible {
    private(set) var cities: [String] = []
    private(set) var failures: [(url: URL, error: any Error)] = []

    init(_ urls: [URL], _ results: [Result<City, any Error>]) {
        for (url, result) in zip(urls, results) {
            switch result {
            case .success(let city): cities.append(city.name)
            case .failure(let error): failures.append((url, error))
            }
        }
    }

    var description: String {
        let missing = failures.map { "\n\($0.url.path()) can't be had: \($0.error)" }
        return "\(cities.count) cities\(missing.joined())"
    }
}
