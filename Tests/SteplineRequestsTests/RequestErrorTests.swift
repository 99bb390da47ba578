import Foundation
import SteplineRequests
import SteplineSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("RequestError", .timeLimit(.minutes(5)))
struct RequestErrorTests {
    private func error(_ url: String, _ code: RequestError.Code = .connection, _ cause: (any Error)? = nil)
        throws
        -> RequestError
    {
        let request = URLRequest(url: try #require(URL(string: url)))
        return RequestError(code, "no luck", request: request, underlying: cause)
    }

    @Test("PL-34: the text names method and place, and no secret")
    func text() throws {
        let error = try error("http://me:hush@example.com:8080/a?token=hush#hush")
        #expect("\(error)" == "GET http://example.com:8080/a?…: no luck")
        #expect(error.localizedDescription == "\(error)")
        #expect(error.url?.absoluteString == "http://example.com:8080/a?token=hush#hush")
        #expect("\(try self.error("data:text/plain,hush"))" == "GET data:…: no luck")
        let long = try self.error("http://example.com/" + String(repeating: "a", count: 5000))
        #expect("\(long)".count < 350)
    }

    @Test("PL-53: a lost or refused connection and a time-out are worth another attempt, the rest isn't")
    func transient() throws {
        #expect(try error("http://a", .connection, URLError(.networkConnectionLost)).isTransient)
        #expect(try error("http://a", .connection, URLError(.cannotConnectToHost)).isTransient)
        #expect(try !error("http://a", .connection, URLError(.cancelled)).isTransient)
        #expect(try !error("http://a", .connection, URLError(.serverCertificateUntrusted)).isTransient)
        #expect(try error("http://a", .timedOut).isTransient && error("http://a", .truncated).isTransient)
        for code in [RequestError.Code.tooLarge, .scheme, .badURL, .tooManyRedirects, .body, .storage] {
            #expect(try !error("http://a", code).isTransient)
        }
    }

    @Test(
        "PL-54: dates of HTTP are read and written",
        arguments: [
            (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ])
    func dates(_ seconds: Double, _ text: String) {
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.date(of: text) == Date(timeIntervalSince1970: seconds))
    }
}
