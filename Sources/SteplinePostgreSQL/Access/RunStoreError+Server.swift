import SteplineRuns

extension RunStoreError {
    /// Runs a closure and translates server errors into store errors.
    static func translating<Result>(_ store: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as ServerFailure {
            throw RunStoreError(failure, store: store)
        }
    }

    /// Creates the store error for an error of the server.
    init(_ failure: ServerFailure, store: String) {
        let (code, sentence): (Code, String) =
            switch failure.code {
            // The codes are SQLSTATEs of PostgreSQL. An empty one means that no server has answered.
            case "": (.unavailable, "the server can't be reached")
            case "54000": (.tooLarge, "a result is too large")
            case "53100": (.full, "the server has no space left")
            case "42501", "25006": (.readOnly, "it can't be written")
            case "55P03", "40001", "40P01": (.busy, "other processes kept the database busy for too long")
            case "57014": (.busy, "the server took too long for a statement")
            case "42P01", "3F000", "42703": (.notPrepared, Self.notPrepared)
            case "XX001", "XX002": (.damaged, "it is damaged")
            case "28P01", "28000": (.unavailable, "the server has refused the log-in")
            case "3D000": (.unavailable, "the server has no such database")
            case _ where failure.isLost: (.unavailable, "the server is away")
            default: (.unavailable, "the server refused something")
            }
        self.init(code, store: store, sentence, underlying: failure)
    }

    private static let notPrepared = "the database isn't prepared for runs; `runs prepare` does that"

    static func notPrepared(store: String, layout: Int? = nil) -> RunStoreError {
        let old = layout.map { ": its layout is \($0), and this version needs \(Layout.version)" } ?? ""
        return RunStoreError(.notPrepared, store: store, notPrepared + old)
    }
}
