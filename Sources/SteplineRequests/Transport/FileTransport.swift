import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of `file:` URLs, which URLSession doesn't load on Linux.
struct FileTransport: Transport {
    private final class Reading: WorkerJob {
        private static let chunk = 256 << 10

        private let url: URL
        private let receive: @Sendable (TransportEvent) -> Void
        private let isStopped = Locked(false)

        init(_ url: URL, _ receive: @escaping @Sendable (TransportEvent) -> Void) {
            self.url = url
            self.receive = receive
        }

        func stop() { isStopped.withLock { $0 = true } }

        func run(on worker: Worker) {
            do {
                try read()
                receive(.ended(nil))
            } catch {
                receive(.ended(error))
            }
        }

        private func read() throws {
            let values = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
            // A named pipe or device could block the worker forever.
            guard values[.type] as? FileAttributeType == .typeRegular else {
                throw URLError(.fileIsDirectory)
            }
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            let size = values[.size] as? Int ?? -1
            receive(
                .response(
                    URLResponse(
                        url: url, mimeType: nil, expectedContentLength: size, textEncodingName: nil)))
            // Checked before each chunk, so a stop ends the job soon.
            while !isStopped.withLock({ $0 }), let bytes = try file.read(upToCount: Self.chunk),
                !bytes.isEmpty
            {
                receive(.bytes(bytes))
            }
        }
    }

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let reading = Reading(request.url ?? URL(filePath: "/"), receive)
        Workers.shared.enqueue(reading)
        return Subscription { reading.stop() }
    }
}
