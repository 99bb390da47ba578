package import SteplineRuns

/// The check of one store against one requirement; collects the findings.
package final class StoreTrial {
    /// Ends a trial early, when further findings would add nothing.
    struct Stop: Error {}

    package let store: any RunStore
    package private(set) var findings: [String] = []
    private let reopen: @Sendable (any RunStore) throws -> any RunStore

    init(_ store: any RunStore, _ reopen: @escaping @Sendable (any RunStore) throws -> any RunStore) {
        self.store = store
        self.reopen = reopen
    }

    /// Opens the store's contents again.
    package func reopened() throws -> any RunStore { try reopen(store) }

    /// Returns a closure that opens the store's contents again on another thread.
    var reopening: @Sendable () throws -> any RunStore {
        let (store, reopen) = (store, reopen)
        return { try reopen(store) }
    }

    package func find(_ demanded: String, _ came: String) {
        findings.append("demanded: \(demanded); came: \(came)")
    }

    /// Records a finding if the value differs from the expected one.
    package func expect<Value: Equatable>(
        _ what: String, _ found: @autoclosure () throws -> Value, is expected: Value
    ) throws {
        let found = try found()
        if found != expected { find("\(what): \(Self.text(expected))", Self.text(found)) }
    }

    /// Records a finding unless `body` throws an error with that code; returns the error.
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

    /// Returns the value, or records a finding and ends the trial if the value is nil.
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
