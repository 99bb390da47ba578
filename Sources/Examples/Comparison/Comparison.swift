import Foundation

/// Runs a program of the comparison page: `swift run Comparison load stepline URL …`.
@main
struct Comparison {
    enum Way: String, CaseIterable, Sendable {
        case taskGroup = "task-group"
        case operationQueue = "operation-queue"
        case stepline

        var release: any Release.Type {
            switch self {
            case .taskGroup: ReleaseWithTasks.self
            case .operationQueue: ReleaseWithOperationQueue.self
            case .stepline: ReleaseWithStepline.self
            }
        }

        func load(_ urls: [URL]) async throws -> LoadReport {
            switch self {
            case .taskGroup: try await LoadWithTaskGroup.run(urls)
            case .operationQueue: try await LoadWithOperationQueue.run(urls)
            case .stepline: try await LoadWithStepline.run(urls)
            }
        }

        func survey(_ site: URL, keptIn file: URL) async throws -> Int {
            switch self {
            case .taskGroup: try await SurveyWithTaskGroup.run(site, keptIn: file)
            case .operationQueue: try await SurveyWithOperationQueue.run(site, keptIn: file)
            case .stepline: try await SurveyWithStepline.run(site, keptIn: file)
            }
        }
    }

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count > 1, let way = Way(rawValue: words[1]) else { usage() }
        let urls = words.dropFirst(2).compactMap { URL(string: $0) }
        do {
            switch (words[0], words.count) {
            case ("load", 3...): print(try await way.load(urls))
            case ("release", 2): print(try await release(way))
            case ("survey", 4):
                print("\(try await way.survey(urls[0], keptIn: URL(filePath: words[3]))) bytes")
            default: usage()
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// Runs a release twice: the first build fails.
    private static func release(_ way: Way) async throws -> String {
        let release = try way.release.init(Workshop())
        await release.decide(true)
        do { return try await release.attempt() } catch { print("failed: \(error)") }
        return try await release.attempt()
    }

    private static func usage() -> Never {
        let ways = Way.allCases.map(\.rawValue).joined(separator: "|")
        print(
            """
            usage: Comparison load (\(ways)) URL …
                   Comparison release (\(ways))
                   Comparison survey (\(ways)) SITE FILE
            """)
        exit(64)
    }
}
