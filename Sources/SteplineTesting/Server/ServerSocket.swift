import Foundation
import SteplineSupport

#if canImport(Glibc)
    import Glibc
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    import Musl
    private let streamSocket = SOCK_STREAM
#else
    import Darwin
    private let streamSocket = SOCK_STREAM
#endif

/// A socket of the server; only its owner reads, writes and closes it, and any thread may shut it down.
final class ServerSocket: Sendable {
    let descriptor: Int32
    private let isOpen = Locked(true)
    private let isShutDown = Locked(false)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        #if canImport(Darwin)
            setOption(SO_NOSIGPIPE, 1)
        #endif
    }

    deinit { close() }

    /// Returns a socket that listens on a free port of 127.0.0.1.
    static func listening() throws -> (socket: ServerSocket, port: Int) {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw failure() }
        let listener = ServerSocket(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 1024) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw failure() }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Temporary shortages of descriptors or memory, in the process or the system.
    private static let shortages: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    /// The pause after a shortage, in milliseconds.
    private static let shortagePause: Int32 = 10

    /// Returns the next connection; nil once the socket was shut down.
    ///
    /// - Parameter take: Accepts a descriptor; replaceable in tests.
    /// - Returns: The connection; nil once the socket was shut down.
    func accept(by take: (Int32) -> Int32 = { systemAccept($0, nil, nil) }) -> ServerSocket? {
        while true {
            #if canImport(Darwin)
                guard !isShutDown.withLock({ $0 }) else { return nil }
            #endif
            let descriptor = take(descriptor)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                let connection = ServerSocket(descriptor)
                connection.setOption(TCP_NODELAY, 1, level: Int32(IPPROTO_TCP))
                return connection
            }
            let error = errno
            if Self.shortages.contains(error) {
                // With a shortage, the system reports the missing descriptor before a shutdown, so check for that here.
                guard !isShutDown.withLock({ $0 }) else { return nil }
                _ = poll(nil, 0, Self.shortagePause)
            } else if error != EINTR, error != ECONNABORTED {
                return nil
            }
        }
    }

    private func setOption(_ option: Int32, _ value: Int32, level: Int32 = SOL_SOCKET) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads available bytes; returns nil at the end of the connection.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Writes all bytes; returns false if the peer accepts no more.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes
        while !rest.isEmpty {
            let count = send(descriptor, rest.baseAddress, rest.count, flags)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits until the peer has gone, or for a time; returns whether the peer has gone.
    func waitForHangUp(milliseconds: Int32 = -1) -> Bool {
        #if canImport(Darwin)
            let events = Int16(POLLHUP)
        #else
            let events: Int16 = 0x2000  // POLLRDHUP, which the C library's module doesn't show
        #endif
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let count = poll(&entry, 1, milliseconds)
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { return true }
        }
    }

    /// Ends all waits on the socket, from any thread; its owner must still close it.
    func shutDown() {
        isShutDown.withLock { $0 = true }
        isOpen.withLock { isOpen in
            // Under the lock: after `close` the descriptor may belong to another file.
            if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { _ = systemClose(descriptor) }
            isOpen = false
        }
    }

    /// Closes the socket so that the peer sees a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}

private func systemAccept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
    #if canImport(Darwin)
        // Darwin's `shutdown` doesn't wake `accept` on a listening socket. Return every 50 ms, so that the caller
        // checks for a shutdown.
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 50) > 0 else {
            errno = EINTR
            return -1
        }
    #endif
    return accept(descriptor, address, length)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
