extension SQLiteRunStore {
    /// Runs a closure inside a write transaction of this store, for tests of busy stores.
    package func whileWriting(_ body: () throws -> Void) throws {
        try RunStoreError.translating(name) { try connections.write { _ in try body() } }
    }
}
