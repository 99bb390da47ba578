import Foundation
import Testing

@testable import SteplineRequests

#if os(Linux)
    @Suite("Errors of libcurl", .timeLimit(.minutes(5)))
    struct CurlFailureTests {
        @Test("an answer without TLS at an https address is reported with the remedy")
        func plainAnswer() {
            let detail = "error:0A00010B:SSL routines::wrong version number"
            let error = CurlFailure.error(35, detail, verdict: 0, URL(string: "https://127.0.0.1:8080/"))
            #expect(error.code == .secureConnectionFailed)
            #expect(error.localizedDescription.hasPrefix(detail))
            #expect(error.localizedDescription.hasSuffix("try http instead of https"))
        }
    }
#endif
