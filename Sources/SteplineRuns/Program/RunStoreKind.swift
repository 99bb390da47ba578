import Foundation
import SteplineSupport

/// A kind of store that `--store` can select; see ``DurableWorkflow/stores``.
public struct RunStoreKind: Sendable {
    /// Returns whether an argument selects this kind.
    let matches: @Sendable (String) -> Bool
    /// Returns whether the store exists.
    let isThere: @Sendable (String) -> Bool
    /// Whether workers on several machines can share a store.
    let isForManyMachines: Bool
    /// Returns the argument without secrets, for messages.
    let shown: @Sendable (String) -> String
    /// Creates or updates the store.
    let prepare: @Sendable (String) throws -> Void
    /// Opens the store.
    let open: @Sendable (String) throws -> any RunStore
    /// Opens an existing store without changing it.
    private(set) var openToRead: @Sendable (String) throws -> any RunStore

    /// Creates a kind of store.
    ///
    /// - Parameters:
    ///   - matches: Returns whether the argument of `--store` selects this kind.
    ///   - isThere: Returns whether the store exists, if this is known without opening it.
    ///   - isForManyMachines: Whether workers on several machines can share a store.
    ///   - shown: Returns the argument without secrets, for messages.
    ///   - prepare: Implements `runs prepare`: creates or updates the store.
    ///   - open: Opens the store.
    public init(
        matches: @escaping @Sendable (String) -> Bool,
        isThere: @escaping @Sendable (String) -> Bool = { _ in true },
        isForManyMachines: Bool = false,
        shown: @escaping @Sendable (String) -> String = { $0 },
        prepare: @escaping @Sendable (String) throws -> Void,
        open: @escaping @Sendable (String) throws -> any RunStore
    ) {
        self.matches = matches
        self.isThere = isThere
        self.isForManyMachines = isForManyMachines
        self.shown = shown
        self.prepare = prepare
        self.open = open
        // Only files override this: opening one to write updates its layout.
        openToRead = open
    }

    /// A SQLite file; the verbs that run something create it.
    public static let file: RunStoreKind = {
        var kind = RunStoreKind(
            matches: { !$0.holds("://") },
            isThere: { FileManager.default.fileExists(atPath: $0) },
            prepare: { _ = try SQLiteRunStore(path: $0) },
            open: { try SQLiteRunStore(path: $0) })
        kind.openToRead = { try SQLiteRunStore(path: $0, pageLimit: nil, onlyReads: true) }
        return kind
    }()
}

/// The location of a store, before opening.
package struct RunStorePlace: Sendable {
    private let kind: RunStoreKind
    private let place: String
    private let given: String

    /// Creates the location and finds its kind; throws an error if no kind matches.
    ///
    /// `path` is the resolved path if the location is a file.
    package init(_ place: String, path: String? = nil, of kinds: [RunStoreKind]) throws {
        guard let kind = kinds.first(where: { $0.matches(place) }) else {
            // The rest of the URL may contain a password.
            let scheme = place.prefix { $0.isLetter || $0.isNumber }
            throw RunsError("--store: \(scheme)://… is no supported kind of store", isUsage: true)
        }
        self.kind = kind
        // Resolve paths only, never URLs.
        self.place = place.holds("://") ? place : path ?? place
        given = place
    }

    /// The location without secrets, for messages.
    package var shown: String { kind.shown(given) }

    /// The location including secrets; only for the environment of workers.
    package var address: String { place }

    /// Whether workers on several machines can share the store.
    package var isForManyMachines: Bool { kind.isForManyMachines }

    package func prepare() throws { try kind.prepare(place) }

    /// Opens the store; creates a file if it doesn't exist.
    package func open() throws -> any RunStore { try kind.open(place) }

    /// Opens a store to read it, if it exists; creates and changes nothing.
    package func openIfThere() throws -> (any RunStore)? {
        kind.isThere(place) ? try kind.openToRead(place) : nil
    }

    /// Opens a store for workers; throws an error if the kind can't be shared.
    package func openShared() throws -> any SharedRunStore {
        // Check the kind first, so that no unused file is created.
        guard isForManyMachines, let store = try open() as? any SharedRunStore else {
            throw RunsError(
                "\(shown) is a store of one machine: workers require a server, such as --store postgresql://…",
                isUsage: true)
        }
        return store
    }

    /// Opens a store for reading; throws an error if it doesn't exist.
    package func openExisting() throws -> any RunStore {
        guard kind.isThere(place) else { throw RunsError("there is no file \(given)") }
        return try kind.open(place)
    }
}
