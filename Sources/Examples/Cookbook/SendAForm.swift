import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a form with a token, and gets a new token when the server rejects the old one.
enum SendAForm {
    static func run(_ site: URL, print: @escaping Print) async throws {
        let login = URLAuthenticator("last week's", hosts: [site.host() ?? ""]) { token, request in
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        } refresh: { _ in
            print("the token was refused")
            let token = try await Pipeline.loading(site.appending(path: "token")).run()
            return String(decoding: token, as: UTF8.self)
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login])

        var form = URLComponents()
        form.queryItems = [.init(name: "dish", value: "pancakes"), .init(name: "guests", value: "4")]
        let fields = Data((form.percentEncodedQuery ?? "").utf8)
        let reply = try await urls.upload(
            URLRequest(url: site.appending(path: "orders")),
            body: .data(fields, type: "application/x-www-form-urlencoded"))
        print("\(String(decoding: reply.data, as: UTF8.self)), after \(reply.metrics.attempts) attempts")
    }
}
