import Foundation
import Stepline

/// An API that gives its list page by page, read as one stream of records.
enum ReadPages {
    static func run(_ url: URL, print: Print) async throws {
        for try await city in try URLPages(url, next: .link).records(at: "/items") {
            print("\(city["name"]?.string ?? "unnamed"), \(city["people"]?.int ?? 0)")
        }
    }
}
