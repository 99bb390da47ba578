import Foundation
import SteplineSupport
import TestServers

#if canImport(Glibc)
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
    private let noSignal = Int32(MSG_NOSIGNAL)
#elseif canImport(Musl)
    private let streamSocket = SOCK_STREAM
    private let noSignal = Int32(MSG_NOSIGNAL)
#else
    // The sockets have `SO_NOSIGPIPE` instead.
    private let streamSocket = SOCK_STREAM
    private let noSignal: Int32 = 0
#endif

/// Stands between a client and a server on a socket, and cuts connections in the middle of what goes through.
final class CuttingProxy: Sendable {
    /// Where its socket lies.
    let folder: URL
    private let target: String
    private let listener: Int32
    /// After how many bytes, in both directions together, the next connection is cut; nil if never.
    private let budget: @Sendable () -> Int?
    private let cut = Locked(0)

    /// How many connections were cut.
    var cuts: Int { cut.withLock { $0 } }

    init(before server: URL, budget: @escaping @Sendable () -> Int?) throws {
        folder = URL(filePath: "/tmp/stepline-px-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        target = server.appending(path: Self.socketName).path
        self.budget = budget
        listener = Self.own(socket(AF_UNIX, streamSocket, 0))
        let path = folder.appending(path: Self.socketName).path
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let client = Self.own(accept(listener, nil, nil))
                guard client >= 0, let self else { return }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    deinit { stop() }

    private static let socketName = ".s.PGSQL.5432"

    /// Takes no new connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(at: folder)
    }

    /// Keeps a socket from programs that other tests start: a connection that they have as well isn't cut by `close`.
    private static func own(_ socket: Int32) -> Int32 {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return socket
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        let server = Self.own(socket(AF_UNIX, streamSocket, 0))
        defer { close(server) }
        #if canImport(Darwin)
            for socket in [client, server] {
                var isOn: Int32 = 1
                setsockopt(
                    socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
            }
        #endif
        guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else { return }
        var rest = budget() ?? .max
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            var both = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&both, 2, -1) > 0 || errno == EINTR else { return }
            for (from, to) in [(0, 1), (1, 0)] where both[from].revents != 0 {
                let count = recv(both[from].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                let passes = min(count, rest)
                var sent = 0
                while sent < passes {
                    let now = send(
                        both[to].fd, Array(buffer[sent..<passes]), passes - sent, noSignal)
                    guard now > 0 else { return }
                    sent += now
                }
                rest -= passes
                if rest == 0 { return cut.withLock { $0 += 1 } }
            }
        }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: path.utf8.prefix(place.count - 1))
        }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
