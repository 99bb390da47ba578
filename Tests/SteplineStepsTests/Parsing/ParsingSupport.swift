import Foundation
import Stepline
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A bag with bytes, and the response that they came with.
func bag(_ data: Data, contentType: String? = nil, url: String = "https://a.example/x") throws -> Content {
    var bag = Content()
    bag.bodyData = data
    if let contentType {
        bag[.urlResponse] = try #require(
            HTTPURLResponse(
                url: #require(URL(string: url)), statusCode: 200, httpVersion: nil,
                headerFields: ["Content-Type": contentType]))
    }
    return bag
}

func bag(_ text: String, contentType: String? = nil) throws -> Content {
    try bag(Data(text.utf8), contentType: contentType)
}

extension TypedStep {
    /// The output of the step for a content, in a pipeline of its own.
    func output(of bag: Content) async throws -> Output {
        let pipeline = Pipeline(content: bag)
        try pipeline.addStep(self)
        return try await pipeline.run(returning: outputKey)
    }

    /// The cause of the step's failure, and the content that it leaves.
    func failure(on bag: Content) async throws -> (error: any Error, bag: Content) {
        let pipeline = Pipeline(content: bag)
        try pipeline.addStep(self)
        try pipeline.start()
        guard case .failure(let error as PipelineError) = await pipeline.outcome() else {
            throw Unexpected(text: "no failure of \(type(of: self)): \(pipeline)")
        }
        return (error.underlying ?? error, try #require(pipeline.content))
    }

    /// The output of a copy for a content.
    func copysOutput(of bag: Content) async throws -> Output {
        let copy = try #require(try makeCopy() as? Self)
        return try await copy.output(of: bag)
    }

    /// The check's findings about the step's settings.
    func findings(_ content: Content = Content()) throws -> [String] {
        let pipeline = Pipeline(content: content)
        try pipeline.addStep(self)
        return pipeline.check().filter { $0.code == .badConfiguration }.map(\.description)
    }
}

struct Unexpected: Error {
    let text: String
}

/// Files under `Fixtures`, and temporary ones.
enum Files {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    static func fixture(_ path: String) throws -> Data {
        try Data(contentsOf: fixtures.appending(path: path))
    }

    /// Calls `body` with a file that is gone afterwards.
    static func withFile<R>(_ text: String, _ body: (URL) async throws -> R) async throws -> R {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }
}
