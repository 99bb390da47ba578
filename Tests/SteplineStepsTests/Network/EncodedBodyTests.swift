import Foundation
import Stepline
import SteplineRequests
import Testing

@testable import SteplineTesting

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

        @Test("PL-80: all members of a gzip body are read, and what is behind the last must be one")
        func members() async throws {
            let (one, two) = (storedGzip(Data("one ".utf8)), storedGzip(Data("two".utf8)))
            server.route("/a", packed(one + two))
            #expect(try await run(URLLoadStep(server.url("/a"))).bodyData == Data("one two".utf8))
            server.route("/a", packed(one + two.dropLast(3)))
            #expect(await requestError(URLLoadStep(server.url("/a")))?.code == .truncated)
            server.route("/a", packed(one + Data("garbage".utf8)))
            #expect(await requestError(URLLoadStep(server.url("/a")))?.code == .connection)
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

        @Test("PL-80: a packed body of no bytes at all is an empty one")
        func empty() async throws {
            server.route("/a", packed(Data()))
            #expect(try await run(URLLoadStep(server.url("/a"))).bodyData == Data())
            server.route("/b", packed(storedGzip(Data())))
            #expect(try await run(URLLoadStep(server.url("/b"))).bodyData == Data())
        }

        @Test("PL-80: a sum that doesn't fit the bytes is an error")
        func sums() async throws {
            var whole = storedGzip(text)
            whole[whole.count - 6] ^= 1
            server.route("/a", packed(whole))
            #expect(await requestError(URLLoadStep(server.url("/a")))?.code == .connection)
        }

        @Test("PL-76: of a refused body no more is kept than the error tells")
        func refused() async throws {
            server.route("/a", LoopbackResponse.pattern(count: 20 << 20).status(500))
            let pipeline = Pipeline("a") { URLLoadStep(server.url("/a")) }
            try pipeline.start()
            let error = await pipeline.outcome().requestError
            #expect(error?.code == .status && error?.body.count == 1 << 20)
            #expect(pipeline.content?.bodyData?.count == 1 << 20)
        }
    }

    extension LoopbackResponse {
        fileprivate func status(_ status: Int) -> LoopbackResponse { changed { $0.status = status } }
    }
#endif
