import Foundation
import SteplinePostgreSQL
import SteplineRuns
import SteplineSupport

extension Session {
    /// Returns the location of the store from the arguments or the environment.
    func storePlace(_ arguments: Arguments) throws -> RunStorePlace {
        guard let text = arguments[.store] ?? environment["STEPLINE_STORE"], !text.isEmpty else {
            throw UsageError("--store is missing, and STEPLINE_STORE isn't set")
        }
        return try storePlace(text)
    }

    /// Returns the location of a store: a file, or a URL of a server.
    func storePlace(_ text: String) throws -> RunStorePlace {
        try RunStorePlace(text, path: place(text).path(percentEncoded: false), of: [.postgreSQL, .file])
    }

    /// Returns the files of a store, including SQLite's; none for a server.
    func storeFiles(_ text: String?) -> [NamedFile] {
        guard let text, !text.isEmpty, !text.holds("://") else { return [] }
        return ["", "-wal", "-shm", "-journal"].map { NamedFile("--store", place(text + $0)) }
    }
}
