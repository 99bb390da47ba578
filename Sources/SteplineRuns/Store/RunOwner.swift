public import Foundation

/// The process that runs a run.
public struct RunOwner: Sendable, Hashable, Codable {
    /// The name of its machine.
    public var host: String
    /// Its number there.
    public var process: Int
    /// Drawn anew for each opening, and carried by all that its owner writes.
    public var token: UInt64
    /// Since when it has owned the run.
    public var since: Date

    /// This process, as the owner of a run from now on.
    public init(since: Date) {
        host = ProcessInfo.processInfo.hostName
        process = Int(ProcessInfo.processInfo.processIdentifier)
        token = UInt64.random(in: 1...(UInt64.max >> 1))
        self.since = since
    }

    /// An owner as a store has kept it.
    public init(host: String, process: Int, token: UInt64, since: Date) {
        self.host = host
        self.process = process
        self.token = token
        self.since = since
    }
}
