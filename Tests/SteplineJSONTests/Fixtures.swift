import Foundation

/// The files under `Fixtures/json`.
enum Fixtures {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/json")

    static func names(_ kind: String) -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent(kind).path)
        return (all ?? []).sorted()
    }

    static func data(_ kind: String, _ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(kind).appendingPathComponent(name))
    }
}

/// Random numbers that can be had again by their seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
