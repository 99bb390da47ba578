public import Foundation

/// A message to a run from outside its process.
public enum RunSignal: Sendable, Hashable, Codable {
    /// Fulfils a condition, with an encoded value if the condition expects one.
    case fulfil(condition: String, Data?)
    /// Cancels the run for the given reason.
    case cancel(String)
}

extension RunSignal {
    /// The run is to begin no steps as long as this is there: a condition without a name, which every store keeps.
    static let pause = RunSignal.fulfil(condition: "", nil)
}

extension RunStore {
    /// Pauses a run: its owner neither begins a step of it nor offers one to workers until ``resume(_:)``.
    ///
    ///     try store.pause(RunID("mirror", key: "2026-11-22"))
    ///
    /// Bodies that have begun go on, and so do time-outs and back-offs. A worker may still begin what it was offered
    /// before. A living owner notices the pause within a second. The pause outlives the owner: a paused run that is
    /// opened waits for ``resume(_:)``. A paused run can be cancelled.
    ///
    /// - Returns: False if the run was paused before.
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if there is no such run.
    @discardableResult
    public func pause(_ run: RunID) throws -> Bool { try send(.pause, to: run, at: Date()) }

    /// Ends the pause of a run, which opens no run that nobody runs; false if it wasn't paused.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if there is no such run.
    @discardableResult
    public func resume(_ run: RunID) throws -> Bool { try withdraw(condition: "", of: run) }

    /// Whether a run is paused.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if there is no such run.
    public func isPaused(_ run: RunID) throws -> Bool { try signals(of: run).contains(.pause) }
}
