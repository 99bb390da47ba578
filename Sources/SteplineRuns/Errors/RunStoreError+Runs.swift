import Foundation

extension RunStoreError {
    package static func inProgress(_ id: RunID, store: String, owner: RunOwner) -> RunStoreError {
        let since = owner.since.formatted(.iso8601)
        return RunStoreError(
            .inProgress, store: store,
            "\(id) is being run by process \(owner.process) on \(owner.host), since \(since)", owner: owner)
    }

    package static func noSuchRun(_ id: RunID, store: String) -> RunStoreError {
        RunStoreError(.noSuchRun, store: store, "there is no run \(id)")
    }

    package static func ownershipLost(_ id: RunID, store: String) -> RunStoreError {
        RunStoreError(.ownershipLost, store: store, "another process owns \(id)")
    }

    package static func resultDamaged(of step: String, store: String, _ detail: String) -> RunStoreError {
        RunStoreError(.resultDamaged, store: store, "the result of \"\(step)\" \(detail)")
    }
}
