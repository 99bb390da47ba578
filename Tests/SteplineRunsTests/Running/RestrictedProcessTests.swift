import Foundation
import SteplineRuns
import SteplineRunsTesting
import TestSupport
import Testing

/// Processes whose disk is full, or who may not write the store.
@Suite(.timeLimit(.minutes(5))) struct RestrictedProcessTests {
    private func states(_ lines: [String]) -> Set<String> {
        Set(lines.filter { $0.hasPrefix("state ") && !$0.contains("[k") })
    }

    @Test func `DR-17, DR-71: a disk that gets full at any size leaves a store that can go on`() async throws
    {
        let folder = try TestFolder()
        let plain = try await KilledProgram.run([folder.path("plain.runs"), "3"])
        let expected = states(plain.lines)
        #expect(expected.count > 20)
        var refusals = 0
        var codes: Set<String> = []
        for size in stride(from: 0, through: 160_000, by: Chance.isSoak ? 11_111 : 22_222) {
            let file = folder.path("\(size).runs")
            let first = try await KilledProgram.run([file, "3", "full", "\(size)"])
            #expect(!first.wasKilled, "\(size) bytes")
            let error = first.lines.first { $0.hasPrefix("error store ") }
            if let error {
                refusals += 1
                codes.insert(error.split(separator: " ")[2].prefix { $0 != ":" }.description)
                #expect(error.contains("\(size).runs"), "\(size) bytes")
            }
            // Nothing was told Finished that isn't kept.
            let kept: [String: StepRecord] =
                if FileManager.default.fileExists(atPath: file) {
                    try SQLiteRunStore(path: file).stepsByName(of: RunID("random", key: "k"))
                } else {
                    [:]
                }
            for line in first.lines where line.hasPrefix("state ") && line.contains(": finished") {
                let name = line.dropFirst("state ".count).prefix { $0 != ":" }.description
                #expect(kept[name]?.state == .finished, "\(size) bytes: \(name)")
            }
            let second = try await KilledProgram.run([file, "3"])
            #expect(states(second.lines) == expected, "\(size) bytes")
        }
        #expect(refusals > 2 && codes.isSubset(of: ["full", "unavailable"]), "\(refusals) \(codes)")
    }

    @Test
    func `DR-17, DR-31: a process without write access reads a store, and gets an error when it writes`()
        async throws
    {
        let folder = try TestFolder()
        let file = folder.path("test.runs")
        _ = try await KilledProgram.run([file, "3"])
        let manager = FileManager.default
        let steps = try SQLiteRunStore(path: file).stepsByName(of: RunID("random", key: "k")).count
        try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        let readOnlyFile = try await KilledProgram.run([file, "look"]).lines
        #expect(readOnlyFile.first == "steps \(steps)", "\(readOnlyFile)")
        #expect(readOnlyFile.last?.hasPrefix("error store readOnly: ") == true, "\(readOnlyFile)")
        for end in ["-wal", "-shm"] { try? manager.removeItem(atPath: file + end) }
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        let readOnlyFolder = try await KilledProgram.run([file, "look"]).lines
        #expect(readOnlyFolder.last?.hasPrefix("error store readOnly: ") == true, "\(readOnlyFolder)")
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    }
}
