import SteplineRuns

/// One store that is held against one requirement.
final class StoreTrial {
    /// Ends a trial whose findings say enough.
    struct Stop: Error {}

    let store: any RunStore
    private(set) var findings: [RunStoreConformanceError.Finding] = []
    private let reopen: @Sendable (any RunStore) throws -> any RunStore

    init(_ store: any RunStore, _ reopen: @escaping @Sendable (any RunStore) throws -> any RunStore) {
        self.store = store
        self.reopen = reopen
    }

    /// What the store has kept, opened once more.
    func reopened() throws -> any RunStore { try reopen(store) }

    /// How another thread opens it once more.
    var reopening: @Sendable () throws -> any RunStore {
        let (store, reopen) = (store, reopen)
        return { try reopen(store) }
    }

    func find(_ demanded: String, _ came: String) {
        findings.append(RunStoreConformanceError.Finding(demanded: demanded, came: came))
    }

    /// Demands that something is as expected.
    func expect<Value: Equatable>(
        _ what: String, _ found: @autoclosure () throws -> Value, is expected: Value
    ) throws {
        let found = try found()
        if found != expected { find("\(what): \(Self.text(expected))", Self.text(found)) }
    }

    /// Demands that something is refused with that code; the error that was thrown.
    @discardableResult
    func expect(
        _ what: String, throws code: RunStoreError.Code, _ body: () throws -> Void
    ) -> RunStoreError? {
        let demanded = "\(what): a RunStoreError \"\(code)\""
        do {
            try body()
            find(demanded, "nothing was thrown")
        } catch let error as RunStoreError {
            if error.code == code { return error }
            find(demanded, "\"\(error.code)\", \(error)")
        } catch {
            find(demanded, "\(error)")
        }
        return nil
    }

    /// Demands that something is there, and goes no further without it.
    func require<Value>(_ what: String, _ found: Value?) throws -> Value {
        if let found { return found }
        find("\(what) is there", "nil")
        throw Stop()
    }

    private static func text(_ value: some Equatable) -> String {
        (value as? any OptionalValue).map { $0.text } ?? "\(value)"
    }
}

private protocol OptionalValue {
    var text: String { get }
}

extension Optional: OptionalValue {
    fileprivate var text: String { map { "\($0)" } ?? "nil" }
}
