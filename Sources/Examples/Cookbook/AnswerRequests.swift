import Foundation
import Stepline

/// A server's handler whose work stops as its client goes away.
enum AnswerRequests {
    /// What any web framework calls in a Swift task, which it cancels when the connection is closed.
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
            print("nobody waits any more: stopped")
        }
    }
}
