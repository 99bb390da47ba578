import Foundation
import SteplinePostgreSQL
import SteplineRuns

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
}
