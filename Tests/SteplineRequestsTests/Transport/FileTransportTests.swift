import Foundation
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Files as transports", .timeLimit(.minutes(5)))
struct FileTransportTests {
    @Test("a file is read no faster than its reader takes it")
    func flow() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "large")
        let size = 4 << 20
        try Data(count: size).write(to: file)
        let flow = TransportFlow()
        let (held, ended) = (OneShot<Int>(), OneShot<(any Error)?>())
        let received = Locked(0)
        let reading = FileTransport(flow: flow).send(URLRequest(url: file), body: .none) { event in
            switch event {
            case .bytes(let bytes):
                let count = received.withLock { received in
                    received += bytes.count
                    return received
                }
                // Every piece is held: the next one comes after the release below, on another thread.
                flow.hold()
                if !held.fulfill(count) { DispatchQueue.global().async { flow.release() } }
            case .ended(let error): ended.fulfill(error)
            default: break
            }
        }
        let first = await held.value
        #expect(first < size && received.withLock { $0 } == first)
        flow.release()
        #expect(await ended.value == nil && received.withLock { $0 } == size)
        reading.cancel()
    }

    @Test("a file that is held can be given up")
    func stopped() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "large")
        try Data(count: 4 << 20).write(to: file)
        let flow = TransportFlow()
        let held = OneShot<Void>()
        let count = Locked(0)
        let reading = FileTransport(flow: flow).send(URLRequest(url: file), body: .none) { event in
            guard case .bytes = event else { return }
            count.withLock { $0 += 1 }
            flow.hold()
            held.fulfill(())
        }
        await held.value
        reading.cancel()
        flow.release()
        #expect(count.withLock { $0 } == 1)
    }
}
