import Foundation
import SteplinePostgreSQL
import SteplineRuns

extension Session {
    /// Where runs are kept: a file, or a server by its URL.
    func storePlace(_ text: String) throws -> RunStorePlace {
        try RunStorePlace(text, path: place(text).path(percentEncoded: false), of: [.postgreSQL, .file])
    }
}
