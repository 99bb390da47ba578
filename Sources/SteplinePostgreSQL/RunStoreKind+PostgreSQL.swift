import Foundation
public import SteplineRuns
import SteplineSupport

extension RunStoreKind {
    /// A PostgreSQL server, by a URL that begins with `postgresql://` or `postgres://`.
    public static let postgreSQL = RunStoreKind(
        matches: { ["postgresql", "postgres"].contains($0.prefix { $0 != ":" }) && $0.holds("://") },
        isForManyMachines: true,
        shown: Address.withoutPassword,
        prepare: { try PostgreSQLRunStore.prepare($0) },
        open: { try PostgreSQLRunStore($0) })
}
