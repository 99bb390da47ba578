import Foundation
import Stepline

/// Loads a package and all packages that it needs, each once.
enum FindDependencies {
    struct Package: Decodable, Sendable {
        let name: String
        let needs: [String]
    }

    static func run(_ site: URL, _ root: String, print: Print) async throws {
        let workflow = Workflow("packages")
        let packages = try workflow.grow("package", from: [root], key: \.self, limit: 4) { name, more in
            let package = try await Pipeline.loadingJSON(site.appending(path: name), as: Package.self).run()
            more.add(package.needs)
            return package
        }
        try await workflow.run()
        for package in try await packages.value.sorted(by: { $0.name < $1.name }) {
            print("\(package.name): \(package.needs)")
        }
    }
}
