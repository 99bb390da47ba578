import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The snippets of the page on intercepting requests, compiled and run.

struct SendEvents: ManagedTask {
    var events: [String]
    let sink: Recorder<[String]>
    func execute() async throws -> Int {
        sink.record(events)
        return events.count
    }
}

@Suite("Interception guide", .timeLimit(.minutes(5)))
struct InterceptRequestsSnippets {
    @Test("a header for each request, retries, and steps through the door")
    func manager() async throws {
        let server = try LoopbackServer()
        server.route(
            "/city", inTurn: [.status(503), .text(#"{"name": "Oslo", "population": 709000}"#)])
        let url = server.url("/city")
        let urls = URLTaskManager(
            interceptors: [
                .adapting { request in request.setValue("nb", forHTTPHeaderField: "Accept-Language") }
            ],
            reactors: [.retrying(attempts: 3)])
        let reply = try await urls.data(from: url)
        let city = try await Pipeline.run {
            URLLoadStep(url, through: urls)
            JSONDecodeStep<City>()
        }
        #expect(reply.statusCode == 200 && city.name == "Oslo")
        #expect(server.requests.map { $0.headers["Accept-Language"] } == ["nb", "nb", "nb"])
    }

    @Test("options")
    func options() async throws {
        let clock = ManualClock(), transport = TransportDouble(clock: clock)
        transport.on("GET", "https://example.com/a", .text("late").after(.seconds(30)))
        let options = URLTaskManager.Options(
            tasks: .init(maximumConcurrency: 20, clock: clock), maximumPerHost: 10, redacts: ["ticket"])
        let urls = URLTaskManager(transport: transport, options: options)
        let url = try #require(URL(string: "https://example.com/a"))
        async let reply = urls.data(from: url)
        await clock.waitForScheduled()
        clock.advance(by: .seconds(30))
        #expect(String(decoding: try await reply.data, as: UTF8.self) == "late")
    }

    @Test("a token that expires is renewed once, and only the named host gets it")
    func token() async throws {
        let renewals = Recorder<String>(), token = "old"
        @Sendable func renew(_ old: String) async throws -> String {
            renewals.record(old)
            return "new"
        }
        let transport = TransportDouble()
        transport.on {
            $0.url?.path() == "/a"
        } answer: { request, _ in
            request.value(forHTTPHeaderField: "Authorization") == "Bearer new" ? .text("hello") : .status(401)
        }
        transport.on("GET", "https://example.org/b", .text("other"))
        let login = URLAuthenticator(token, hosts: ["api.example.com"]) { token, request in
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        } refresh: { old in
            try await renew(old)
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login])
        #expect(urls.tasks.reactors.count == 1)
        do {
            let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
            let url = try #require(URL(string: "https://api.example.com/a"))
            let other = try #require(URL(string: "https://example.org/b"))
            async let first = urls.data(from: url)
            async let second = urls.data(from: url)
            let texts = try await [first, second].map { String(decoding: $0.data, as: UTF8.self) }
            #expect(texts == ["hello", "hello"] && renewals.values == ["old"])
            _ = try await urls.data(from: other)
            #expect(transport.requests.last?.value(forHTTPHeaderField: "Authorization") == nil)
        }
    }

    @Test("any task")
    func anyTask() async throws {
        let sink = Recorder<[String]>()
        let manager = TaskManager(interceptors: [
            .only(SendEvents.self) { task, _ in
                task.events.removeAll { $0.hasPrefix("debug") }
                return task.events.isEmpty ? .discard : .execute
            }
        ])
        let sent = try await manager.run(SendEvents(events: ["debug 1", "open"], sink: sink))
        #expect(sent == 1 && sink.values == [["open"]])
        let nothing = manager.add(SendEvents(events: ["debug 2"], sink: sink))
        _ = await nothing.outcome()
        #expect(nothing.state == .finished(.failed) && sink.count == 1)
    }
}
