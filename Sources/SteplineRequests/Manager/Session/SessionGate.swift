import Foundation
import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task of a manager's public session, as it passes through the manager.
///
/// Foundation calls `startLoading` and `stopLoading`, possibly on different threads. `run` guards against late results:
/// its number changes at each start, stop and end.
final class SessionGate<Place>: URLProtocol {
    private let run = Locked(GateRun())

    // Only one session at a time has this class, so all its requests belong to the manager.
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let number = run.withLock { run in
            run.number += 1
            return run.number
        }
        // Created on Foundation's thread, where Apple's platforms expect the calls of the client.
        let loop = ClientThread()
        let gate = GateReport(gate: self, run: run)
        let tell: @Sendable (Outcome<URLReply>) -> Void = { outcome in
            loop.perform { gate.tell(outcome, number) }
        }
        guard let task, task is URLSessionDataTask, !(task is URLSessionUploadTask) else {
            return tell(.failure(TaskManagerError.unsupported("only data tasks can be used")))
        }
        let whole: URLRequest
        do { whole = try request.withBody } catch { return tell(.failure(error)) }
        guard let factory = SessionNumber.factory(of: Self.self), let handle = factory.add(whole, tell)
        else { return tell(.failure(TaskManagerError.managerReleased)) }
        // `stopLoading` may have been called while the task was being added.
        let isStopped = run.withLock { run in
            guard run.number == number else { return true }
            run.handle = handle
            return false
        }
        if isStopped { handle.cancel(GateRun.reason) }
    }

    override func stopLoading() {
        let handle = run.withLock { run in
            run.number += 1
            defer { run.handle = nil }
            return run.handle
        }
        // Cancelled without the lock, because the cancellation may report an outcome.
        handle?.cancel(GateRun.reason)
    }
}

/// The current run of a session's task.
private struct GateRun {
    static let reason: CancellationReason = "its session's task was cancelled"

    /// Changes at each start, stop and end; results of an earlier run are dropped.
    var number = 0
    var handle: TaskHandle<URLReply>?
}

/// Reports the outcome of a task to Foundation.
private struct GateReport: @unchecked Sendable {  // the protocol object is used only under the lock of `run`
    let gate: URLProtocol
    let run: Locked<GateRun>

    /// Reports the outcome, unless the task was stopped.
    ///
    /// The lock is held during the calls: a concurrent stop waits. On Linux a report about a forgotten task ends the
    /// process. None of these calls runs user code on this thread.
    func tell(_ outcome: Outcome<URLReply>, _ number: Int) {
        run.withLock { run in
            guard run.number == number else { return }
            run.number += 1
            run.handle = nil
            switch outcome {
            case .success(let reply):
                // On Linux Foundation answers a challenge itself, outside the manager.
                let response = reply.response.unchallenging
                gate.client?.urlProtocol(gate, didReceive: response, cacheStoragePolicy: .allowed)
                gate.client?.urlProtocol(gate, didLoad: reply.data)
                gate.client?.urlProtocolDidFinishLoading(gate)
            case .cancelled(let reason):
                gate.client?.urlProtocol(gate, didFailWithError: TaskManagerError.cancelled(reason))
            case .failure(let error):
                gate.client?.urlProtocol(gate, didFailWithError: error)
            }
        }
    }
}

/// The thread that calls a protocol's client: on Apple's platforms the thread of the start.
private struct ClientThread: @unchecked Sendable {  // a run loop accepts blocks from any thread
    #if canImport(FoundationNetworking)
        func perform(_ body: @escaping @Sendable () -> Void) { body() }
    #else
        private let loop = RunLoop.current

        func perform(_ body: @escaping @Sendable () -> Void) {
            loop.perform(inModes: [.default, .common], block: body)
            CFRunLoopWakeUp(loop.getCFRunLoop())
        }
    #endif
}

extension URLRequest {
    /// The request with its body as data; Apple's platforms provide the body as a stream.
    ///
    /// Throws the stream's error: a body that was read in part must not be sent as if it were whole.
    fileprivate var withBody: URLRequest {
        get throws {
            guard httpBody == nil, let stream = httpBodyStream else { return self }
            var request = self
            var body = Data()
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            stream.open()
            defer { stream.close() }
            while true {
                let count = stream.read(&buffer, maxLength: buffer.count)
                guard count >= 0 else { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
                if count == 0 { break }
                body.append(contentsOf: buffer[..<count])
            }
            request.httpBodyStream = nil
            request.httpBody = body
            return request
        }
    }
}

extension URLResponse {
    /// Returns a 401 without its challenge on Linux, where Foundation would answer with its own request outside the
    /// manager.
    fileprivate var unchallenging: URLResponse {
        #if canImport(FoundationNetworking)
            guard let http = self as? HTTPURLResponse, http.statusCode == 401, let url = http.url else {
                return self
            }
            var headers: [String: String] = [:]
            for (name, value) in http.allHeaderFields {
                guard let name = name as? String, name.lowercased() != "www-authenticate" else { continue }
                headers[name] = "\(value)"
            }
            return HTTPURLResponse(
                url: url, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: headers) ?? self
        #else
            return self
        #endif
    }
}
