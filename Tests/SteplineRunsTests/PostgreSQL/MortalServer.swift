import TestServers

/// A server that tests may kill, one test at a time.
enum MortalServer {
    private static let turns = Turns(1)
    private static let server = Task { try await TestServer() }

    /// Calls with the server, started again if the last test has left it killed.
    static func use(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await turns.take {
            let server = try await server.value
            if !server.isRunning { try await server.start() }
            try await body(server)
        }
    }
}
