extension SQLiteRunStore {
    /// Does something while this store is in the middle of a transaction that writes.
    package func whileWriting(_ body: () throws -> Void) throws {
        try RunStoreError.translating(name) { try connections.write { _ in try body() } }
    }
}
