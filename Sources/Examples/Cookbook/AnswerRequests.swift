import Foundation
import Stepline

/// A request handler that stops its work when the client disconnects.
enum AnswerRequests {
    /// The handler, which a web framework calls in a Swift task and cancels when the connection closes.
    static func answer(_ source: URL) async throws -> String {
        let workflow = Workflow("answer")
        let page = try workflow.addPipeline("load") { URLLoadStep(source) }
        let text = try workflow.add("shout", after: page) { page in
            String(decoding: page, as: UTF8.self).uppercased()
        }
        try await workflow.run()
        return try await text.value
    }

    static func run(_ source: URL, slow: URL, clientLeaves: () async -> Void, print: Print) async throws {
        print(try await answer(source))

        let request = Task { try await answer(slow) }
        await clientLeaves()
        request.cancel()
        do {
            print(try await request.value)
        } catch is CancellationError {
            print("the client has left: stopped")
        }
    }
}
