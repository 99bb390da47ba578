import Foundation
import SteplineSupport

/// A kind of stores that a program is pointed at by `--store`; see ``DurableWorkflow/stores``.
public struct RunStoreKind: Sendable {
    /// Whether a store of this kind is meant.
    let matches: @Sendable (String) -> Bool
    /// Whether there is one that can be looked at.
    let isThere: @Sendable (String) -> Bool
    /// Whether workers on several machines may use one at the same time.
    let isForManyMachines: Bool
    /// How it is named in commands that a program tells: without secrets.
    let shown: @Sendable (String) -> String
    /// Makes it, or brings it up to date.
    let prepare: @Sendable (String) throws -> Void
    /// Opens it.
    let open: @Sendable (String) throws -> any RunStore

    /// A kind of stores.
    ///
    /// - Parameters:
    ///   - matches: Whether what stands behind `--store` means one of this kind.
    ///   - isThere: Whether there is one that can be looked at, where that is known without opening it.
    ///   - isForManyMachines: Whether workers on several machines may use one at the same time.
    ///   - shown: How it is named in commands that a program tells: without secrets.
    ///   - prepare: What `runs prepare` does: makes the store, or brings it up to date.
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
    }

    /// A file, which is made by who runs something in it.
    public static let file = RunStoreKind(
        matches: { !$0.holds("://") },
        isThere: { FileManager.default.fileExists(atPath: $0) },
        prepare: { _ = try SQLiteRunStore(path: $0) },
        open: { try SQLiteRunStore(path: $0) })
}

/// A store that is named, and not open yet.
package struct RunStorePlace: Sendable {
    private let kind: RunStoreKind
    private let place: String
    private let given: String

    /// Finds out of which kind it is; throws if of none.
    ///
    /// `path` is where it is if it is a file.
    package init(_ place: String, path: String? = nil, of kinds: [RunStoreKind]) throws {
        guard let kind = kinds.first(where: { $0.matches(place) }) else {
            // What is behind it may be a secret.
            let scheme = place.prefix { $0.isLetter || $0.isNumber }
            throw RunsError("--store: no runs are kept here at \(scheme)://…", isUsage: true)
        }
        self.kind = kind
        self.place = place.holds("://") ? place : path ?? place
        given = place
    }

    /// How it is named in commands that a program tells: without secrets.
    package var shown: String { kind.shown(given) }

    /// What names it, secrets and all: for the environment of workers, and nothing that others see.
    package var address: String { place }

    /// Whether workers on several machines may use it at the same time.
    package var isForManyMachines: Bool { kind.isForManyMachines }

    package func prepare() throws { try kind.prepare(place) }

    /// Opens it; a file is made if there is none.
    package func open() throws -> any RunStore { try kind.open(place) }

    /// Opens one by which workers work; throws if it is none for several processes.
    package func openShared() throws -> any SharedRunStore {
        // A file isn't made for nothing.
        guard isForManyMachines, let store = try open() as? any SharedRunStore else {
            throw RunsError(
                "\(shown) is kept by one machine: workers want a server, --store postgresql://…",
                isUsage: true)
        }
        return store
    }

    /// Opens a store whose runs are to be looked at: there is none to be made.
    package func openExisting() throws -> any RunStore {
        guard kind.isThere(place) else { throw RunsError("there is no file \(given)") }
        return try kind.open(place)
    }
}
