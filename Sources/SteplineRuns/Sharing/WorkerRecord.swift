import Foundation

/// A worker, as it makes itself known.
package struct WorkerProfile: Sendable, Hashable, Codable {
    /// The workflow whose steps it runs.
    package var workflow: String
    package var host: String
    package var process: Int
    /// How many steps it runs at once.
    package var slots: Int

    /// This process.
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

/// A worker that is alive, as a store knows it.
package struct WorkerRecord: Sendable, Hashable, Codable {
    package let number: Int
    package let profile: WorkerProfile
    /// What of its workflow its program doesn't know: `merge version 3`.
    package let unknown: [String]

    package init(number: Int, profile: WorkerProfile, unknown: [String]) {
        self.number = number
        self.profile = profile
        self.unknown = unknown
    }

    /// By what people know it: `node7/4711`, and its number where a process has several.
    package var name: String { Self.name(profile, number) }

    package static func name(_ profile: WorkerProfile, _ number: Int) -> String {
        "\(profile.host)/\(profile.process)#\(number)"
    }
}

/// What a worker hears when it tells that it is alive.
package struct WorkerBeat: Sendable {
    /// The claims that it still holds.
    package let held: Set<Int>
    /// Those of them that it is to stop.
    package let stops: Set<Int>
    /// Whether steps wait that must be run alone.
    package let areRiskyWaiting: Bool
    /// Whether there may be steps that wait for any worker; where there are none, none need be asked for.
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
