import Foundation
import Testing

@testable import SteplineTesting

@Suite("The loopback server where the system is short of something", .timeLimit(.minutes(5)))
struct ServerShortageTests {
    private static let shortages = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    @Test("the server accepts the next connection once the shortage is over", arguments: shortages)
    func passes(error: Int32) throws {
        let (listener, port) = try ServerSocket.listening()
        let client = try RawClient(port: port)
        var failures = 0
        let connection = listener.accept { descriptor in
            guard failures == 2 else {
                failures += 1
                errno = error
                return -1
            }
            return accept(descriptor, nil, nil)
        }
        // Else nobody would end the client's wait.
        try #require(connection != nil && failures == 2)
        connection?.close()
        #expect(client.read() == "")
    }

    @Test("the server ends if it is stopped during a shortage")
    func stopped() throws {
        let (listener, _) = try ServerSocket.listening()
        var failures = 0
        let connection = listener.accept { _ in
            failures += 1
            if failures == 2 { listener.shutDown() }
            errno = EMFILE
            return -1
        }
        #expect(connection == nil && failures == 2)
    }
}
