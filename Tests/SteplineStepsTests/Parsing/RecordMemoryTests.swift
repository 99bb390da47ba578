import TestSupport

#if os(Linux)
    import Foundation
    import Stepline
    import Testing

    private struct Row: Codable, Sendable {
        var n: Int
        var text: String
    }

    @Suite("Memory of records", .timeLimit(.minutes(5)))
    struct RecordMemoryTests {
        /// Goes through a file of so many megabytes by every step for records, in a file's every form.
        private static func read(megabytes: Int) async throws {
            let folder = try TemporaryFolder()
            let line = "{\"n\":1,\"text\":\"\(String(repeating: "x", count: 979))\"}\n"
            let block = Data(String(repeating: line, count: 1000).utf8)
            let lines = folder["lines"]
            try Data().write(to: lines)
            let handle = try FileHandle(forWritingTo: lines)
            for _ in 0..<megabytes { try handle.write(contentsOf: block) }
            try handle.close()
            let rows = try await JSONRewriteStep(lines, to: folder["array"], as: .array) { $0 }
                .output(of: Content())
            let inArray = try await JSONLinesLoadStep(folder["array"], of: .elements(at: "")) {
                $0.n == 1 ? nil : 1
            }
            .output(of: Content())
            let inLines = try await JSONLinesLoadStep(lines) { $0.n == 1 ? nil : 1 }.output(of: Content())
            let format = CSVFormat(separator: ":")
            let bare = folder["csv"]
            let csv = Data(String(repeating: "1:\(String(repeating: "x", count: 997))\n", count: 1000).utf8)
            try Data("n:text\n".utf8).write(to: bare)
            let second = try FileHandle(forWritingTo: bare)
            try second.seekToEnd()
            for _ in 0..<megabytes { try second.write(contentsOf: csv) }
            try second.close()
            let inCSV = try await CSVParseStep(bare, format: format) { $0["n"] == "1" ? nil : 1 }
                .output(of: Content())
            guard rows == megabytes * 1000, inArray + inLines + inCSV == [] else {
                throw Unexpected(text: "\(rows) rows")
            }
        }

        @Test(
            "Issue 16: what records take of the memory doesn't depend on the file's length",
            .soakOnly, .enabled(if: ProcessMemory.isItsOwn))
        func constant() async {
            await #expect(processExitsWith: .success) {
                try await Self.read(megabytes: 2)
                let idle = ProcessMemory.now
                try await Self.read(megabytes: 30)
                guard ProcessMemory.peak - idle <= 12 << 20 else { exit(1) }
            }
        }
    }
#endif
