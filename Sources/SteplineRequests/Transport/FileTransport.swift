import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of `file:` URLs, which URLSession doesn't load on Linux.
struct FileTransport: Transport {
    /// The flow that holds the bytes back; nil to read without a pause.
    let flow: TransportFlow?

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let reading = FileReading(request.url ?? URL(filePath: "/"), flow, receive)
        Workers.shared.perform { _ in reading.begin() }
        return Subscription { reading.stop() }
    }
}

/// Reads one file in pieces; while the flow is held, no thread has it.
private final class FileReading: Sendable {
    private enum State {
        case reading
        case held(FileHandle)
        case stopped
    }

    private static let chunk = 256 << 10

    private let url: URL
    private let flow: TransportFlow?
    private let receive: @Sendable (TransportEvent) -> Void
    private let state = Locked(State.reading)

    init(_ url: URL, _ flow: TransportFlow?, _ receive: @escaping @Sendable (TransportEvent) -> Void) {
        self.url = url
        self.flow = flow
        self.receive = receive
    }

    func stop() {
        // Closed after unlock.
        let old = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        if case .held(let file) = old { try? file.close() }
        flow?.onRelease {}
    }

    func begin() {
        do {
            let values = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
            // Opening a pipe or reading a device could block the worker forever.
            guard values[.type] as? FileAttributeType == .typeRegular else {
                throw URLError(.fileIsDirectory)
            }
            let file = try FileHandle(forReadingFrom: url)
            // `-1` is the unknown length of a `URLResponse`.
            let size = values[.size] as? Int ?? -1
            flow?.onRelease { [self] in Workers.shared.perform { _ in self.readOn() } }
            receive(
                .response(
                    URLResponse(url: url, mimeType: nil, expectedContentLength: size, textEncodingName: nil)))
            read(file)
        } catch {
            end(error)
        }
    }

    private func read(_ file: FileHandle) {
        do {
            while true {
                if flow?.isHeld == true, pause(file) { return }
                let isStopped = state.withLock { if case .stopped = $0 { true } else { false } }
                guard !isStopped, let bytes = try file.read(upToCount: Self.chunk), !bytes.isEmpty else {
                    break
                }
                receive(.bytes(bytes))
            }
            try file.close()
            end(nil)
        } catch {
            end(error)
        }
    }

    private func end(_ error: (any Error)?) {
        // The closure refers to the reading, which refers to the flow.
        flow?.onRelease {}
        receive(.ended(error))
    }

    /// Leaves the file to the release of the flow; returns false if the caller must go on.
    private func pause(_ file: FileHandle) -> Bool {
        let isPaused = state.withLock { state in
            guard case .reading = state else { return false }
            state = .held(file)
            return true
        }
        // A release before the state was set has found nothing to continue.
        return isPaused && (flow?.isHeld == true || take() == nil)
    }

    private func readOn() {
        if let file = take() { read(file) }
    }

    /// Takes the file of a held reading.
    private func take() -> FileHandle? {
        state.withLock { state in
            guard case .held(let file) = state else { return nil }
            state = .reading
            return file
        }
    }
}
