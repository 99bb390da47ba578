public import Foundation

/// A store of durable runs: in memory, in a SQLite file or on a PostgreSQL server.
///
/// A run has at most one owner. `open` makes the caller the owner until `OpenRun.end`, `OpenRun.close` or
/// the death of its process. Other processes may read the run, send signals to it, and forget it while it has no owner.
///
/// | state of a run | ending | owner |
/// |---|---|---|
/// | waiting | nil | none yet: it was created, and never opened |
/// | in progress | nil | alive |
/// | interrupted | nil | gone; the run can be opened again |
/// | ended | set | none; the run can be opened again |
///
/// **Threads.** All methods may be called from any thread. Methods block until the change is as durable as the
/// store promises. Don't call them on a thread of Swift's cooperative pool.
///
/// **Errors.** Methods throw a ``RunStoreError``. Methods that address a missing run throw `.noSuchRun`, unless their
/// documentation says otherwise.
///
/// **Writes.** Each change of a step carries attempt and token. ``StepChange`` defines which changes a store
/// must refuse. `StepRecord.taking(_:)` implements this rule for every store. The conformance suite in
/// `SteplineRunsTesting` tests a new store.
public protocol RunStore: Sendable {
    /// The name of the store in errors and reports, such as the file name.
    var name: String { get }

    /// The age from which ended runs are removed, whenever a run has ended in this process; nil to keep them.
    ///
    /// The default implementation returns nil.
    var retention: Duration? { get }

    /// Opens a run and makes the caller its owner; creates the run if it doesn't exist.
    ///
    /// The ending of an old run stays until the first change of a step is accepted.
    ///
    /// - Parameters:
    ///   - id: The identity of the run.
    ///   - input: The input to store with a new run; ignored for an old run.
    ///   - owner: The caller, with a fresh token.
    ///   - now: The date of the opening.
    /// - Returns: The open run.
    /// - Throws: `RunStoreError` with code `inProgress` while another owner is alive.
    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun

    /// Creates a run for another process to open, unless it exists.
    ///
    /// A store of a server leaves the run to workers.
    ///
    /// - Parameters:
    ///   - id: The identity of the run.
    ///   - input: The input to store with the run.
    ///   - creator: The caller, with a fresh token; it doesn't own the run.
    ///   - now: The date of creation.
    /// - Returns: False if the run exists; nothing has changed then.
    /// - Throws: A ``RunStoreError`` if the store can't be written.
    func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) throws -> Bool

    /// Returns all runs, newest first in order of creation, optionally of one workflow only.
    ///
    /// The order doesn't depend on the clock.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't be read.
    func runs(of workflow: String?) throws -> [RunRecord]

    /// Returns one run; nil if it doesn't exist.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't be read.
    func run(_ id: RunID) throws -> RunRecord?

    /// Calls `body` for each step of a run, sorted by UTF-8 bytes of the names, without results.
    ///
    /// The steps form one consistent snapshot. Memory use doesn't depend on their number. `body` may read from the
    /// store and write to it.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist, or the error of `body`.
    func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws

    /// Returns one step of a run without its result; nil if no such step is stored.
    ///
    /// The default implementation reads all steps of the run.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    func step(_ name: String, of id: RunID) throws -> StepRecord?

    /// Returns the replaced attempts of a run's steps, oldest first.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    func history(of id: RunID) throws -> [StepRecord]

    /// Returns the result of a step; nil if it has none.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist, or `resultDamaged` if the
    ///   stored bytes differ from the written bytes.
    func result(of step: String, in id: RunID) throws -> Data?

    /// Returns the names of a run's steps whose results are known to be missing, without reading the results.
    ///
    /// A resumed run executes those steps again. The default implementation returns none.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't be read.
    func missingResults(of id: RunID) throws -> [String]

    /// Returns the latest finished step with the given ``StepChange/cacheKey`` that ended between two dates.
    ///
    /// The default implementation returns nil: no run reuses results of another run.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't be read.
    func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep?

    /// Stores a signal for the current or next owner of a run.
    ///
    /// Only the first signal for each condition and the first cancellation are stored.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - id: The run.
    ///   - now: The date of the signal.
    /// - Returns: True if the signal was stored, false if an earlier one exists.
    /// - Throws: `RunStoreError` with code `noSuchRun` if the run doesn't exist.
    func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool

    /// Removes the stored signal of a condition, so that another value can be sent; returns false if none is stored.
    ///
    /// A condition that the run has already received stays fulfilled. The default implementation returns false.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    func withdraw(condition: String, of id: RunID) throws -> Bool

    /// The signals that have come for a run, in the order in which they came; those seen before come again.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    func signals(of id: RunID) throws -> [RunSignal]

    /// A number that is another one whenever something that is kept has changed since it was last asked for.
    ///
    /// The death of an owner doesn't change the number. The default implementation returns nil: callers must read the
    /// data to detect changes.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't be read.
    func changeMark() throws -> Int?

    /// Removes a run and all its data; returns false if the run doesn't exist.
    ///
    /// - Throws: A ``RunStoreError``, with the code `inProgress` if the run has a living owner.
    func forget(_ id: RunID) throws -> Bool

    /// Removes all runs that ended before a date, releases their space, and returns their number.
    ///
    /// A run that is opened again meanwhile stays.
    ///
    /// - Parameters:
    ///   - date: The date; a run that ended exactly then stays.
    ///   - workflow: The workflow of the runs; nil for all.
    /// - Throws: A ``RunStoreError`` if the store can't be written.
    func forget(endedBefore date: Date, of workflow: String?) throws -> Int
}

/// A run that this process owns.
///
/// `end`, `close` and the end of the process release the ownership.
public protocol OpenRun: AnyObject, Sendable {
    /// The run at the time of opening: this owner, this opening counted, and the previous ending.
    var record: RunRecord { get }

    /// Calls `body` for each stored step, sorted by name, without results.
    ///
    /// - Throws: A ``RunStoreError`` if the store can't be read, or the error of `body`.
    func forEachStep(_ body: (StepRecord) throws -> Void) throws

    /// Returns the result of a step; nil if it has none.
    ///
    /// - Throws: A ``RunStoreError``, with the code `resultDamaged` if the stored bytes differ from the written bytes.
    func result(of step: String) throws -> Data?

    /// Writes changes of steps in their order in one transaction.
    ///
    /// A change is refused if its attempt is no longer the current one of its step; see ``StepChange``. The first
    /// accepted change clears the run's ending.
    ///
    /// - Parameter changes: The changes, oldest first.
    /// - Returns: The indices of the refused changes.
    /// - Throws: `RunStoreError` with code `ownershipLost` if the run was closed or has another owner.
    func write(_ changes: [StepChange]) throws -> [Int]

    /// Keeps how the run has ended, and gives it up.
    ///
    /// Removes a pending cancellation signal, so that a resumed run can be cancelled again.
    ///
    /// - Throws: A ``RunStoreError``, with the code `ownershipLost` if the run was closed or has another owner.
    func end(_ ending: RunEnding, at now: Date) throws

    /// Releases the ownership without an ending; the run can be opened again.
    func close()
}

extension RunStore {
    /// Nil: ended runs stay until they are forgotten.
    public var retention: Duration? { nil }

    /// Returns nil: changes can't be detected without reading.
    public func changeMark() throws -> Int? { nil }

    /// Removes all runs of any workflow that ended before a date; see ``forget(endedBefore:of:)``.
    public func forget(endedBefore date: Date) throws -> Int { try forget(endedBefore: date, of: nil) }

    /// Returns no names: the store keeps all results itself.
    public func missingResults(of id: RunID) throws -> [String] { [] }

    /// Returns false: no signal is withdrawn.
    public func withdraw(condition: String, of id: RunID) throws -> Bool { false }

    /// Searches all steps of the run.
    ///
    /// - Throws: The errors of ``forEachStep(of:_:)``.
    public func step(_ name: String, of id: RunID) throws -> StepRecord? {
        var found: StepRecord?
        // `forEachStep` has no early exit.
        try forEachStep(of: id) { if $0.name == name { found = $0 } }
        return found
    }

    /// Returns nil: no results are reused.
    public func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep? { nil }
}
