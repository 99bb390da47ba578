public import Foundation

/// Where durable runs are kept: in memory, in a file, on a server.
///
/// Whoever runs a run **opens** it and is its one owner until it closes it or dies; anybody else may look,
/// send signals, ask for its cancellation, and forget runs that nobody owns. All methods may be called from
/// any thread, block until what they say is kept as safely as the store promises, and throw a
/// ``RunStoreError``. What asks for a run that there isn't throws `.noSuchRun`, unless it says otherwise.
public protocol RunStore: Sendable {
    /// How errors and reports name the store: the name of its file.
    var name: String { get }

    /// Becomes the owner of a run, which is made if there is none of that name.
    ///
    /// Throws `.inProgress` while another owner is alive. `input` is kept for a new run, and left alone for
    /// an old one. An ending of the run stands until a change of a step is taken.
    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun

    /// All runs, those that were made last first, whatever the clock said; those of one workflow if it is
    /// named.
    func runs(of workflow: String?) throws -> [RunRecord]

    /// One run; nil if there is none of that name.
    func run(_ id: RunID) throws -> RunRecord?

    /// Hands out the steps of a run, by the bytes of their names, without their results; any number of them
    /// in the same memory.
    ///
    /// They are those of one moment. The body may ask the store for more, and write.
    func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws

    /// One step of a run, without its result; nil if no step of that name is kept.
    ///
    /// A store that doesn't implement it reads all steps of the run.
    func step(_ name: String, of id: RunID) throws -> StepRecord?

    /// What steps of a run did before they were run again, the oldest first.
    func history(of id: RunID) throws -> [StepRecord]

    /// The result of a step; nil if it has none. Throws `.resultDamaged` if what is kept isn't what was
    /// written.
    func result(of step: String, in id: RunID) throws -> Data?

    /// The step of any run that was kept as finished with that ``StepChange/cacheKey``, and still is; of those that ended
    /// between these dates the one that ended last.
    ///
    /// Nil if there is none; nil as well, unless a store says more: then no run takes anything over.
    func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep?

    /// Leaves word for the run, whoever owns it now or later: a condition is fulfilled, or the run is to be
    /// cancelled.
    ///
    /// The first word for a condition counts, and the first cancellation; whether this is it.
    func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool

    /// Removes the word that a condition is fulfilled, so that another value can be sent; false if there is none.
    ///
    /// A condition that the run has taken stays fulfilled. False as well, unless a store says more.
    func withdraw(condition: String, of id: RunID) throws -> Bool

    /// The signals that have come for a run, in the order in which they came; those seen before come again.
    func signals(of id: RunID) throws -> [RunSignal]

    /// A number that is another one whenever something that is kept has changed since it was last asked for.
    ///
    /// Nil, unless a store says more: then nothing less than reading tells what has changed.
    /// That an owner has died is no change.
    func changeMark() throws -> Int?

    /// Removes a run with all that is kept of it; false if there is none. Throws `.inProgress` if it has a
    /// living owner.
    func forget(_ id: RunID) throws -> Bool

    /// Removes all runs that have ended before that date and gives the space back; returns how many.
    func forget(endedBefore date: Date) throws -> Int
}

/// A run in the hands of its owner.
///
/// Closing it, or the end of the process, gives it up.
public protocol OpenRun: AnyObject, Sendable {
    /// The run as it was when it was opened: with this owner, this opening counted, and the ending that it
    /// had.
    var record: RunRecord { get }

    /// Hands out the steps that are kept, by name, without their results.
    func forEachStep(_ body: (StepRecord) throws -> Void) throws

    /// The result of a step; nil if it has none. Throws `.resultDamaged` if what is kept isn't what was
    /// written.
    func result(of step: String) throws -> Data?

    /// The names of steps whose results are gone, as far as that is known without reading them.
    ///
    /// Those are run again when the run goes on. None, unless a store says more.
    func missingResults() throws -> [String]

    /// Keeps changes of steps, in their order, all of them or none; returns the places of those that were
    /// refused.
    ///
    /// A change is refused if its attempt isn't the step's latest one any more; see ``StepChange``. Once one
    /// is taken, the run has no ending. Throws `.ownershipLost` if the run was closed or has another owner.
    func write(_ changes: [StepChange]) throws -> [Int]

    /// Keeps how the run has ended, and gives it up.
    ///
    /// That answers a word to cancel it, which is forgotten: a run that goes on again can be cancelled again.
    func end(_ ending: RunEnding, at now: Date) throws

    /// Gives the run up without an end, so that it can be opened again.
    func close()
}

extension RunStore {
    /// Nil: nothing less than reading tells what has changed.
    public func changeMark() throws -> Int? { nil }

    /// False: nothing is withdrawn.
    public func withdraw(condition: String, of id: RunID) throws -> Bool { false }

    /// Reads all steps of the run.
    public func step(_ name: String, of id: RunID) throws -> StepRecord? {
        var found: StepRecord?
        try forEachStep(of: id) { if $0.name == name { found = $0 } }
        return found
    }

    /// Nil: no run takes anything over.
    public func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep? { nil }
}

extension OpenRun {
    /// None: all results are in the store itself.
    public func missingResults() throws -> [String] { [] }
}
