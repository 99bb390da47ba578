import Foundation
import Stepline

/// Reads an API that returns its list in pages as one stream of records.
enum ReadPages {
    static func run(_ url: URL, print: Print) async throws {
        for try await city in try URLPages(url, next: .link).records(at: "/items") {
            print("\(city["name"]?.string ?? "unnamed"), \(city["people"]?.int ?? 0)")
        }
    }
}
