import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLAuthenticator", .timeLimit(.minutes(5)))
struct AuthenticatorTests {
    let api = "https://api.example.com/cities"

    @Test("MG-74: only its hosts get the credential, and no redirect takes it to another origin")
    func hosts() async throws {
        let transport = TransportDouble()
        transport.on("GET", api, .redirect(to: "https://other.example.com/x"))
        transport.on({ _ in true }) { _, _ in .text("ok") }
        let login = URLAuthenticator(
            "secret", hosts: ["API.example.com"],
            apply: { $1.setValue($0, forHTTPHeaderField: "X-Key") }, refresh: { $0 })
        let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
        _ = try await urls.data(for: request(api))
        _ = try await urls.data(for: request("https://other.example.com/y"))
        let sent = transport.requests.map { $0.value(forHTTPHeaderField: "X-Key") }
        #expect(sent == ["secret", nil, nil])
    }

    @Test("MG-74: three requests refused at once make one refresh and three retries; no caller sees a 401")
    func three() async throws {
        let clock = ManualClock(), transport = TransportDouble(clock: clock)
        let refreshes = Recorder<String>(), gate = Gate()
        transport.on({ _ in true }) { request, _ in
            request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                ? .text("hello") : .status(401).after(.seconds(1))
        }
        let login = bearer("old") { old in
            refreshes.record(old)
            await gate.wait()
            return "new"
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
        let one = try request(api)
        let handles = (0..<3).map { _ in urls.add(one) }
        await transport.waitForRequests(3)
        clock.advance(by: .seconds(1))
        await gate.waitForArrivals()
        await eventually { urls.tasks.counts.waits[.reaction] == 3 }
        gate.open()
        for handle in handles { #expect(try await handle.value.statusCode == 200) }
        #expect(refreshes.values == ["old"] && login.credential == "new")
        #expect(transport.requests.count == 6 && handles.allSatisfy { $0.attempt == 2 })
    }

    @Test("MG-74: the refresh may use the same manager, even with one slot")
    func sameManager() async throws {
        let transport = TransportDouble(), box = Recorder<URLTaskManager>()
        guarding(transport, "new")
        transport.on("POST", "https://login.example.com/token", .text("new"))
        let login = bearer("old", hosts: ["api.example.com", "login.example.com"]) { _ in
            let token = try request("https://login.example.com/token", method: "POST")
            return String(decoding: try await box.values[0].data(for: token).data, as: UTF8.self)
        }
        let urls = URLTaskManager(
            interceptors: [login], reactors: [login], transport: transport,
            options: managerOptions { $0.maximumConcurrency = 1 })
        box.record(urls)
        #expect(try await urls.data(for: request(api)).statusCode == 200)
    }

    @Test("MG-75: requests with a stale credential are held until one refresh is made; others continue")
    func stale() async throws {
        let transport = TransportDouble(), gate = Gate(), refreshes = Recorder<String>()
        guarding(transport, "new")
        transport.on("GET", "https://other.example.com/", .text("other"))
        let login = bearer("old", isStale: { $0 == "old" }) { old in
            refreshes.record(old)
            await gate.wait()
            return "new"
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
        let one = try request(api)
        let handles = (0..<5).map { _ in urls.add(one) }
        await gate.waitForArrivals()
        #expect(try await urls.data(for: request("https://other.example.com/")).data == Data("other".utf8))
        await eventually { urls.tasks.counts.waits[.held] == 5 }
        #expect(transport.requests.count == 1)
        gate.open()
        for handle in handles { #expect(try await handle.value.statusCode == 200) }
        #expect(refreshes.count == 1 && transport.requests.count == 6)
        #expect(handles.allSatisfy { $0.attempt == 1 })
    }

    @Test("MG-75: a request with an older credential is made again without a refresh")
    func older() async throws {
        let refreshes = Recorder<Int>(), clock = ManualClock(), transport = TransportDouble(clock: clock)
        let slow = "https://api.example.com/slow"
        transport.on {
            $0.url?.absoluteString == slow
        } answer: { request, _ in
            request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                ? .text("hello") : .status(401).after(.seconds(5))
        }
        transport.on { _ in
            true
        } answer: { request, _ in
            request.value(forHTTPHeaderField: "Authorization") == "Bearer new" ? .text("hello") : .status(401)
        }
        let login = bearer("old") { _ in
            refreshes.record(1)
            return "new"
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
        let first = urls.add(try request(slow))
        await transport.waitForRequests(1)
        // Refused and refreshed while the slow one is on its way with the old credential.
        #expect(try await urls.data(for: request(api)).statusCode == 200)
        clock.advance(by: .seconds(5))
        #expect(try await first.value.statusCode == 200)
        #expect(refreshes.count == 1 && first.attempt == 2)
    }

    @Test("MG-75: a failed refresh fails all that wait for it; the next refused request may try anew")
    func failing() async throws {
        let transport = TransportDouble(), works = Locked(false)
        guarding(transport, "new")
        let login = bearer("old") { _ in
            guard works.withLock({ $0 }) else { throw RefreshFailed() }
            return "new"
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
        let error = await urls.add(try request(api)).managerError
        #expect(
            error?.code == .reactorFailed && error?.underlying is RefreshFailed && error?.actor == "login")
        works.withLock { $0 = true }
        #expect(try await urls.data(for: request(api)).statusCode == 200)
    }

    @Test("MG-75: a stale credential's refresh that fails or hangs fails those that are held")
    func heldAndFailing() async throws {
        let transport = TransportDouble(), clock = ManualClock(), hangs = Gate(), mode = Locked("fail")
        guarding(transport, "new")
        let login = bearer("old", timeout: .seconds(30), isStale: { $0 == "old" }) { _ in
            if mode.withLock({ $0 }) == "fail" { throw RefreshFailed() }
            await hangs.wait()
            return "late"
        }
        let urls = URLTaskManager(
            interceptors: [login], reactors: [login], transport: transport, options: managerOptions(clock))
        let error = await urls.add(try request(api)).managerError
        #expect(error?.code == .reactorFailed && error?.underlying is RefreshFailed)
        mode.withLock { $0 = "hang" }
        let hanging = urls.add(try request(api))
        await hangs.waitForArrivals()
        await eventually { hanging.state == .pending(.held) }
        clock.advance(by: .seconds(30))
        #expect(await hanging.managerError?.code == .reactorTimedOut)
        hangs.open()
        #expect(login.credential == "old" && transport.requests.isEmpty)
    }

    @Test("MG-75: more than five refreshes within half a minute are refused, until it has passed")
    func tooMany() async throws {
        let transport = TransportDouble(), clock = ManualClock(), refreshes = Recorder<Int>()
        guarding(transport, "never")
        let login = bearer("old") { old in
            refreshes.record(1)
            return old + "+"
        }
        let urls = URLTaskManager(
            interceptors: [login], reactors: [login], transport: transport, options: managerOptions(clock))
        // Three refreshes, then the 401 is delivered; two more, and the sixth is refused.
        #expect((await urls.add(try request(api)).failure as? RequestError)?.statusCode == 401)
        let error = await urls.add(try request(api)).managerError
        #expect((error?.underlying as? URLAuthenticatorError)?.code == .tooManyRefreshes)
        #expect(refreshes.count == 5)
        clock.advance(by: .seconds(31))
        #expect((await urls.add(try request(api)).failure as? RequestError)?.statusCode == 401)
        #expect(refreshes.count == 8)
    }

    @Test("MG-75: the refusal of a sixth refresh has the error of the fifth")
    func tooManyFailures() async throws {
        let transport = TransportDouble(), clock = ManualClock()
        guarding(transport, "never")
        let login = bearer("old") { _ in throw RefreshFailed() }
        let urls = URLTaskManager(
            interceptors: [login], reactors: [login], transport: transport, options: managerOptions(clock))
        for _ in 0..<5 {
            #expect(await urls.add(try request(api)).managerError?.underlying is RefreshFailed)
        }
        let error = try #require(await urls.add(try request(api)).managerError)
        let refusal = try #require(error.underlying as? URLAuthenticatorError)
        #expect(refusal.code == .tooManyRefreshes && refusal.underlying is RefreshFailed)
        #expect(
            "\(error)".contains("five times within 30 s, last with an error: RefreshFailed()"), "\(error)")
    }

    /// Asks its authenticator when it is freed.
    private final class NosyCredential: Sendable {
        let token: String
        let login = Locked<URLAuthenticator<NosyCredential>?>(nil)
        let asked: Recorder<String>
        init(_ token: String, _ asked: Recorder<String>) {
            self.token = token
            self.asked = asked
        }
        deinit {
            if let login = login.withLock({ $0 }) { asked.record(login.credential.token) }
        }
    }

    @Test("MG-74, MG-91: a credential that asks back when it is freed, by a refresh, finds no lock")
    func credentialIsFreed() async throws {
        let transport = TransportDouble(), asked = Recorder<String>()
        guarding(transport, "new")
        let login = URLAuthenticator(
            NosyCredential("old", asked), hosts: ["api.example.com"],
            apply: { $1.setValue("Bearer \($0.token)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in NosyCredential("new", asked) })
        login.credential.login.withLock { $0 = login }
        let urls = URLTaskManager(interceptors: [login], reactors: [login], transport: transport)
        _ = try await urls.data(for: request(api))
        await asked.waitForCount(1)
        #expect(asked.values == ["new"])
    }
}
