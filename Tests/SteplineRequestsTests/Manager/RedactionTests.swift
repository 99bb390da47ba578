import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redaction", .timeLimit(.minutes(5)))
struct RedactionTests {
    let secrets = ["hunter2", "s3cret", "t0ken", "c00kie", "b0dy", "l0cal"]

    private func secretRequest() throws -> URLRequest {
        var request = try request(
            "https://joe:hunter2@example.com/a?q=kept&access_token=t0ken&API-KEY=s3cret&pin=l0cal",
            method: "PUT",
            [
                "Authorization": "Bearer s3cret", "Cookie": "c00kie", "X-Session-Id": "s3cret",
                "Accept": "text/plain", "X-Pin": "l0cal",
            ])
        request.httpBody = Data("b0dy".utf8)
        return request
    }

    private func isClean(_ text: String) -> Bool { !secrets.contains { text.contains($0) } }

    @Test("MG-79: descriptions, events, logs, errors and explain() show neither secrets nor bodies")
    func everywhere() async throws {
        let transport = TransportDouble(), log = StepLog(), lines = Recorder<String>(),
            tasks = Recorder<URLTask>()
        log.addSink { lines.record("\($0.line) \($0.metadata)") }
        transport.on({ _ in true }) { _, number in
            number == 1
                ? .text("b0dy", status: 500).header("Set-Cookie", "c00kie")
                : number == 2
                    ? .failure(
                        URLError(
                            .timedOut,
                            userInfo: [
                                "NSErrorFailingURLStringKey":
                                    "https://example.com/a?access_token=t0ken",
                                NSURLErrorFailingURLErrorKey: URL(string: "https://joe:hunter2@example.com/a")
                                    ?? URL(filePath: "/"),
                            ])) : .silence
        }
        let urls = URLTaskManager(
            interceptors: [Keeping(tasks: tasks)], transport: transport,
            options: managerOptions {
                $0.redacts = ["pin"]
                $0.log = log
            })
        let events = Recorder<String>()
        let reader = Task { [stream = urls.tasks.events] in
            for await event in stream { events.record("\(event)") }
        }
        let one = try secretRequest()
        let failures = [await urls.add(one).failure, await urls.add(one).failure]
        for failure in failures {
            let error = try #require(failure)
            #expect(
                isClean("\(error)") && isClean(String(reflecting: error))
                    && isClean(error.localizedDescription))
        }
        let handle = urls.add(one)
        await transport.waitForRequests(3)
        #expect(
            isClean("\(handle.explain())") && isClean(handle.debugDescription)
                && isClean("\(urls.tasks.explain())"))
        handle.cancel()
        let cancelled = await handle.outcome()
        #expect(isClean("\(cancelled)") && isClean("\(handle.explain())"))
        await urls.tasks.waitTillGone(handle)
        reader.cancel()
        await lines.waitForCount(6)
        #expect(lines.values.allSatisfy(isClean) && events.values.allSatisfy(isClean))
        let task = try #require(tasks.values.first)
        #expect(isClean("\(task)") && isClean(String(reflecting: task)))
        var dumped = ""
        dump(task, to: &dumped)
        #expect(isClean(dumped))
    }

    @Test("MG-79: secrets are replaced by <redacted>, other text is shown")
    func text() async throws {
        let tasks = Recorder<URLTask>(), transport = TransportDouble()
        transport.on({ _ in true }) { _, _ in .text("b0dy") }
        let urls = URLTaskManager(
            interceptors: [Keeping(tasks: tasks)], transport: transport,
            options: managerOptions { $0.redacts = ["pin"] })
        let reply = try await urls.data(for: secretRequest())
        let task = try #require(tasks.values.first)
        #expect(
            task.name
                == "PUT https://<redacted>@example.com/a?q=kept&access_token=<redacted>&API-KEY=<redacted>&pin=<redacted>"
        )
        #expect(task.description.contains("Accept: text/plain, Authorization: <redacted>"))
        #expect(reply.data == Data("b0dy".utf8) && isClean("\(reply)"))
        var dumped = ""
        dump(reply, to: &dumped)
        #expect(isClean(dumped))
    }
}

/// Writes down the tasks.
private struct Keeping: URLTaskInterceptor {
    let tasks: Recorder<URLTask>

    func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        tasks.record(task)
        return .execute
    }
}

extension TaskManager {
    /// Waits until nothing of a handle is listed any more, and all has been told.
    fileprivate func waitTillGone(_ handle: TaskHandle<URLReply>) async {
        try? await waitUntilIdle()
    }
}
