import Foundation
import SteplinePostgreSQL
import SteplineRuns
import SteplineSupport

extension Session {
    /// Where runs are kept by the arguments, or else by the environment.
    func storePlace(_ arguments: Arguments) throws -> RunStorePlace {
        guard let text = arguments[.store] ?? environment["STEPLINE_STORE"], !text.isEmpty else {
            throw UsageError("--store is missing, and STEPLINE_STORE isn't set")
        }
        return try storePlace(text)
    }

    /// Where runs are kept: a file, or a server by its URL.
    func storePlace(_ text: String) throws -> RunStorePlace {
        try RunStorePlace(text, path: place(text).path(percentEncoded: false), of: [.postgreSQL, .file])
    }

    /// The files of a store, SQLite's own beside it included; none of one that is on a server.
    func storeFiles(_ text: String?) -> [NamedFile] {
        guard let text, !text.isEmpty, !text.holds("://") else { return [] }
        return ["", "-wal", "-shm", "-journal"].map { NamedFile("--store", place(text + $0)) }
    }
}
