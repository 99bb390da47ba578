import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A custom interceptor, which marks requests and rejects those that would change something.
final class ReadOnly: URLTaskInterceptor {
    struct WouldChange: LocalizedError {
        let method: String
        var errorDescription: String? { "\(method) is not for guests" }
    }

    func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        let method = task.request.httpMethod ?? "GET"
        guard ["GET", "HEAD"].contains(method) else { throw WouldChange(method: method) }
        task.request.setValue("guest", forHTTPHeaderField: "X-Reader")
        return .execute
    }
}

enum InterceptRequests {
    static func run(_ url: URL, print: Print) async throws {
        let urls = URLTaskManager(interceptors: [ReadOnly()])
        print(String(decoding: try await urls.data(from: url).data, as: UTF8.self))

        var deletion = URLRequest(url: url)
        deletion.httpMethod = "DELETE"
        do {
            _ = try await urls.data(for: deletion)
        } catch {
            print(error.localizedDescription)
        }
    }
}
