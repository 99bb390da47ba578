import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of `file:` URLs, which URLSession doesn't load on Linux.
struct FileTransport: Transport {
    private static let chunk = 256 << 10

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let isStopped = Locked(false)
        Workers.shared.perform { _ in
            do {
                try Self.read(request.url ?? URL(filePath: "/"), until: isStopped, receive)
                receive(.ended(nil))
            } catch {
                receive(.ended(error))
            }
        }
        return Subscription { isStopped.withLock { $0 = true } }
    }

    private static func read(
        _ url: URL, until isStopped: Locked<Bool>, _ receive: @Sendable (TransportEvent) -> Void
    ) throws {
        let values = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
        // Opening a pipe or reading a device could block the worker forever.
        guard values[.type] as? FileAttributeType == .typeRegular else { throw URLError(.fileIsDirectory) }
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        // `-1` is the unknown length of a `URLResponse`.
        let size = values[.size] as? Int ?? -1
        receive(
            .response(
                URLResponse(url: url, mimeType: nil, expectedContentLength: size, textEncodingName: nil)))
        while !isStopped.withLock({ $0 }), let bytes = try file.read(upToCount: chunk), !bytes.isEmpty {
            receive(.bytes(bytes))
        }
    }
}
