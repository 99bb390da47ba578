import Foundation
import SteplineSupport

/// Ports of this machine that nobody listens on, and that the system gives nobody who asks for any port.
package enum FreePorts {
    struct None: Error {}

    /// Those that this process has given to somebody, who may not listen yet.
    private static let given = Locked<Set<UInt16>>([])

    /// Returns `count` different free ports.
    package static func some(_ count: Int) throws -> [UInt16] {
        var sockets: [Int32] = []
        // They stay taken until all are found.
        defer { for socket in sockets { close(socket) } }
        var ports: [UInt16] = []
        for _ in 0..<1000 where ports.count < count {
            let port = UInt16.random(in: 12_000..<32_000)
            guard let socket = taken(port) else { continue }
            sockets.append(socket)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            ports.append(port)
        }
        guard ports.count == count else { throw None() }
        return ports
    }

    private static func taken(_ port: UInt16) -> Int32? {
        // A program that another test starts meanwhile must not inherit the socket: the port would stay taken.
        #if canImport(Glibc)
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let number = socket(AF_INET, SOCK_STREAM, 0)
            if number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        #endif
        guard number >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) == 0 }
        }
        if !isBound { close(number) }
        return isBound ? number : nil
    }
}
