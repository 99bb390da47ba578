import Foundation
import Stepline
import Testing

@Suite("Exports of the module Stepline", .timeLimit(.minutes(5)))
struct ExportedTests {
    @Test("URLRequest and HTTPURLResponse are known without another import, on each system")
    func networking() throws {
        let request = URLRequest(url: try #require(URL(string: "https://example.com")))
        #expect(request.url?.host() == "example.com" && HTTPURLResponse.self != URLResponse.self)
    }
}
