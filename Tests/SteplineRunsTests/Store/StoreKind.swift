import Foundation
import SteplineRuns

/// The stores that one suite holds to the same.
enum StoreKind: CaseIterable, Sendable {
    case memory, file, fileNormal

    /// The same for a test that waits.
    func withStore(_ body: (any RunStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "runs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(store(in: folder))
    }

    /// Runs a test against a new store of this kind.
    func withStore(_ body: (any RunStore) throws -> Void) throws {
        try withFolder { try body(store(in: $0)) }
    }

    private func store(in folder: URL) throws -> any RunStore {
        let place = folder.appendingPathComponent("test.runs")
        return switch self {
        case .memory: .memory()
        case .file: try .file(place)
        case .fileNormal: try .file(place, durability: .normal)
        }
    }
}
