import Foundation
import Stepline
import SteplineTesting
import Testing

#if os(Linux)
    @Suite("Packed bodies", .timeLimit(.minutes(5)), .enabled(if: isOverCurl))
    struct EncodedBodyTests {
        let server: LoopbackServer
        private let text = Data(String(repeating: "the packed text must be whole. ", count: 3000).utf8)

        init() throws { server = try LoopbackServer() }

        private func packed(_ bytes: Data) -> LoopbackResponse {
            LoopbackResponse.data(bytes).header("Content-Encoding", "gzip")
        }

        @Test("PL-80: a gzip body that is cut is truncated, wherever it is cut")
        func cut() async throws {
            let whole = storedGzip(text)
            for left in [1, 2, 9, 10, 11, 500, whole.count - 9, whole.count - 8, whole.count - 1] {
                server.route("/a", packed(whole.prefix(left)))
                let error = await requestError(URLLoadStep(server.url("/a")))
                #expect(error?.code == .truncated, "\(left): \(String(describing: error))")
            }
        }

        @Test("PL-80: a gzip body is all its members or empty; a cut one, garbage and a wrong sum are errors")
        func members() async throws {
            let (one, two) = (storedGzip(Data("one ".utf8)), storedGzip(Data("two".utf8)))
            let whole: [(Data, String)] = [(one + two, "one two"), (Data(), ""), (storedGzip(Data()), "")]
            for (bytes, body) in whole {
                server.route("/a", packed(bytes))
                #expect(try await run(URLLoadStep(server.url("/a"))).bodyData == Data(body.utf8))
            }
            var wrongSum = storedGzip(text)
            wrongSum[wrongSum.count - 6] ^= 1
            let faulty: [(Data, RequestError.Code)] = [
                (one + two.dropLast(3), .truncated), (one + Data("garbage".utf8), .connection),
                (wrongSum, .connection),
            ]
            for (bytes, code) in faulty {
                server.route("/a", packed(bytes))
                #expect(await requestError(URLLoadStep(server.url("/a")))?.code == code)
            }
        }

        @Test(
            "PL-80: deflate is unpacked in zlib's form and bare, also if its first byte comes alone",
            arguments: [
                "eNorSEzOTk3RUSiA0ol5KVC2Qn5ecqpCbn5RKgDpfgy8", "K0hMzk5N0VEogNKJeSlQtkJ+XnKqQm5+USoA",
            ])
        func deflate(_ text: String) async throws {
            let bytes = try #require(Data(base64Encoded: text))
            for response in [LoopbackResponse.data(bytes), .data(bytes).chunked(of: 1)] {
                server.route("/a", response.header("Content-Encoding", "deflate"))
                let body = try await run(URLLoadStep(server.url("/a"))).bodyData
                #expect(body == Data("packed, packed, and packed once more".utf8))
            }
        }
    }
#endif
