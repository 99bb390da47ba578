import Foundation

/// Ports of this machine that nobody listens on.
enum FreePorts {
    /// So many, all different.
    static func some(_ count: Int) throws -> [UInt16] {
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        return try (0..<count).map { _ in
            #if canImport(Glibc)
                let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let number = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            sockets.append(number)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, size) == 0 && getsockname(number, $0, &size) == 0
                }
            }
            guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
            return UInt16(bigEndian: address.sin_port)
        }
    }
}
