import Foundation
import Stepline
import SteplineRequests
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    /// Cookies of the run in loads without a session.
    @Suite("Cookies of a run", .timeLimit(.minutes(5)), .enabled(if: isOverCurl))
    struct RunCookieTests {
        @Test(
            "PL-73: cookies are kept for a run and sent back, each where it belongs, unless the request says no"
        )
        func cookies() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                server.route("/set/x", cookieSetter)
                for path in ["/a", "/set/y"] { server.route(path, .text("ok")) }
                var without = URLRequest(url: server.url("/a"))
                without.httpShouldHandleCookies = false
                let own = request(server.url("/a"), headers: ["Cookie": "mine=1"])
                let pipeline = Pipeline("run")
                for asked in [
                    URLRequest(url: server.url("/set/x")), URLRequest(url: server.url("/a")),
                    URLRequest(url: server.url("/set/y")), without, own,
                ] { try pipeline.addStep(URLLoadStep(asked)) }
                try await pipeline.run()
                let sent = server.requests.map { $0["Cookie"] }
                guard sent == [nil, "all=1", "here=2; all=1", nil, "mine=1"] else {
                    print(sent)
                    exit(1)
                }
                // Nothing is kept for other runs, nor where other programs of the user's would find it.
                _ = try await run(URLLoadStep(server.url("/a")))
                guard server.requests.last?["Cookie"] == nil,
                    HTTPCookieStorage.shared.cookies?.isEmpty != false
                else { exit(2) }
                // One jar for all who are given it.
                let shared = options { $0.cookies = .memory() }
                _ = try await run(URLLoadStep(server.url("/set/x"), options: shared))
                _ = try await run(URLLoadStep(server.url("/a"), options: shared))
                guard server.requests.last?["Cookie"] == "all=1" else { exit(3) }
            }
        }
    }

    private let cookieSetter: LoopbackResponse = {
        var response = LoopbackResponse.text("set")
        for line in [
            "all=1; Path=/", "here=2", "safe=3; Secure; Path=/", "other=4; Domain=example.com; Path=/",
            "gone=5; Max-Age=0; Path=/",
        ] {
            response.headers.add("Set-Cookie", line)
        }
        return response
    }()
#endif
