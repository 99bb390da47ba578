import Foundation

#if canImport(Glibc)
    import Glibc
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
    private let streamSocket = SOCK_STREAM
#endif

/// A connection to a port of this machine, without any HTTP of its own: tests say each byte.
final class RawClient {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    func get(_ path: String, _ headers: String...) {
        send("GET \(path) HTTP/1.1\r\nHost: test\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Reads until so many bytes have come, or the end; nil if the connection was reset.
    func read(_ count: Int = .max) -> String? {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while text.count < count {
            let got = recv(descriptor, &buffer, min(buffer.count, count - text.count), 0)
            if got < 0 { return nil }
            if got == 0 { break }
            text += buffer[..<got]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads up to a text, which is included.
    func read(through end: String) -> String? {
        var text = ""
        while !text.hasSuffix(end) {
            guard let next = read(1), !next.isEmpty else { return nil }
            text += next
        }
        return text
    }
}
