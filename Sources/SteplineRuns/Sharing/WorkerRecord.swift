import Foundation

/// The description that a worker registers with.
package struct WorkerProfile: Sendable, Hashable, Codable {
    /// The workflow whose steps the worker executes.
    package var workflow: String
    package var host: String
    package var process: Int
    /// The number of steps that the worker runs at the same time.
    package var slots: Int

    /// Creates the profile of this process.
    package init(workflow: String, slots: Int) {
        self.init(
            workflow: workflow, host: ProcessInfo.processInfo.hostName,
            process: Int(ProcessInfo.processInfo.processIdentifier), slots: slots)
    }

    package init(workflow: String, host: String, process: Int, slots: Int) {
        self.workflow = workflow
        self.host = host
        self.process = process
        self.slots = slots
    }
}

/// A worker with a valid lease.
package struct WorkerRecord: Sendable, Hashable, Codable {
    package let number: Int
    package let profile: WorkerProfile
    /// The task versions that the worker can't run, such as `merge version 3`.
    package let unknown: [String]

    package init(number: Int, profile: WorkerProfile, unknown: [String]) {
        self.number = number
        self.profile = profile
        self.unknown = unknown
    }

    /// The display name: `node7/4711#12` for host, process and worker number.
    package var name: String { Self.name(profile, number) }

    package static func name(_ profile: WorkerProfile, _ number: Int) -> String {
        "\(profile.host)/\(profile.process)#\(number)"
    }
}

/// The store's answer to a heartbeat.
package struct WorkerBeat: Sendable {
    /// The claims that the worker still holds.
    package let held: Set<Int>
    /// The held claims that the worker must stop.
    package let stops: Set<Int>
    /// Whether steps are queued that must run alone.
    package let areRiskyWaiting: Bool
    /// Whether steps may be queued; false saves the worker a claim.
    package let areWaiting: Bool
    /// Whether there may be runs left to workers, which one may have to own.
    package var areRunsLeft: Bool

    package init(
        held: Set<Int>, stops: Set<Int>, areRiskyWaiting: Bool, areWaiting: Bool = true,
        areRunsLeft: Bool = true
    ) {
        self.held = held
        self.stops = stops
        self.areRiskyWaiting = areRiskyWaiting
        self.areWaiting = areWaiting
        self.areRunsLeft = areRunsLeft
    }
}
