public import Foundation

/// The process that owns a run.
public struct RunOwner: Sendable, Hashable, Codable {
    /// The name of the owner's machine.
    public var host: String
    /// The process identifier on that machine.
    public var process: Int
    /// A random number drawn for each opening.
    ///
    /// All changes of the owner carry the token, so the store can refuse changes of an earlier owner.
    public var token: UInt64
    /// The date since which the owner has owned the run.
    public var since: Date

    /// Creates the owner record of this process.
    ///
    /// - Parameter since: The date of the opening.
    public init(since: Date) {
        host = ProcessInfo.processInfo.hostName
        process = Int(ProcessInfo.processInfo.processIdentifier)
        // Stores keep the token as a signed 64-bit integer: the top bit stays clear. 0 stands for "no attempt yet".
        token = UInt64.random(in: 1...(UInt64.max >> 1))
        self.since = since
    }

    /// Creates an owner from stored values.
    public init(host: String, process: Int, token: UInt64, since: Date) {
        self.host = host
        self.process = process
        self.token = token
        self.since = since
    }
}
