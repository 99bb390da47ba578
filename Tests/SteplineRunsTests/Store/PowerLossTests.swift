import Foundation
import SteplineRuns
import SteplineRunsTesting
import TestSupport
import Testing

/// Files after a loss of power: as far as the disk had them.
@Suite(.timeLimit(.minutes(5))) struct PowerLossTests {
    /// How many steps are written at once.
    private static let width = 3

    /// A store's files, and how far its log had come when each group of steps was confirmed.
    private struct Written {
        let file: Data
        let log: Data
        /// The log's size when so many groups were confirmed, by their number.
        let confirmed: [Int]

        /// How many groups were confirmed when the log had that size.
        func count(at size: Int) -> Int { (confirmed.lastIndex { $0 <= size } ?? -1) + 1 }

        /// Lays the files down as a disk has them that knew the beginning of the log alone.
        func restore(to path: String, log: Data) throws {
            for end in ["", "-wal", "-shm", "-owners"] {
                try? FileManager.default.removeItem(atPath: path + end)
            }
            try file.write(to: URL(fileURLWithPath: path))
            try log.write(to: URL(fileURLWithPath: path + "-wal"))
        }
    }

    /// Writes groups of steps, and takes the files as they are then.
    private func write(_ groups: Int, _ durability: SQLiteRunStore.Durability, in folder: TestFolder) throws
        -> Written
    {
        let path = folder.path("first.runs")
        let run = try SQLiteRunStore(path: path, durability: durability).openTest()
        var confirmed: [Int] = []
        func log() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) }
        for group in 0..<groups {
            let changes = (0..<Self.width).map { place in
                StepChange(
                    .finished(bytes(group * 40, seed: UInt8(place))), of: Self.name(group, place), attempt: 1,
                    token: 1, at: moment())
            }
            #expect(try run.write(changes).isEmpty)
            confirmed.append(try log().count)
        }
        defer { run.close() }
        return Written(
            file: try Data(contentsOf: URL(fileURLWithPath: path)), log: try log(), confirmed: confirmed)
    }

    private static func name(_ group: Int, _ place: Int) -> String {
        "\(String(format: "%04d", group)) \(place)"
    }

    /// Opens the store that is left and holds it to being whole groups from the first on; gives how many.
    private func groups(at path: String, _ place: Comment) throws -> Int {
        let store = try SQLiteRunStore(path: path)
        guard try store.run(.test) != nil else { return 0 }
        let steps = try store.steps()
        let count = steps.count / Self.width
        let names = (0..<count).flatMap { group in (0..<Self.width).map { Self.name(group, $0) } }
        #expect(steps.map(\.name) == names, place)
        #expect(try store.run(.test)?.finished == steps.count, place)
        for (number, step) in steps.enumerated() {
            let result = bytes(number / Self.width * 40, seed: UInt8(number % Self.width))
            #expect(try store.result(of: step.name, in: .test) == result, place)
        }
        let run = try store.openTest(2)
        #expect(try run.finish("later", token: 2), place)
        return count
    }

    @Test(arguments: [SQLiteRunStore.Durability.full, .normal])
    func `DR-30, DR-71: a log that ends anywhere leaves whole commits, the first ones`(
        durability: SQLiteRunStore.Durability
    ) throws {
        let folder = try TestFolder()
        let written = try write(12, durability, in: folder)
        let path = folder.path("test.runs")
        // Around each commit, and at places between that have nothing to do with pages.
        let sizes =
            written.confirmed.flatMap { [$0 - 1, $0, $0 + 1] }
            + stride(from: 0, through: written.log.count, by: 7_919)
        for size in sizes where size <= written.log.count {
            try written.restore(to: path, log: written.log.prefix(size))
            #expect(try groups(at: path, "\(size) bytes") == written.count(at: size), "\(size) bytes")
        }
    }

    @Test(arguments: 1...(Chance.isSoak ? 8 : 2) as ClosedRange<UInt8>)
    func `DR-30, DR-71: a log whose end is rubbish leaves all that was confirmed before`(seed: UInt8) throws {
        let folder = try TestFolder()
        let written = try write(8, .full, in: folder)
        let path = folder.path("test.runs")
        for (number, size) in written.confirmed.enumerated() {
            let rest = written.log.count - size
            // New blocks of a file may hold anything, also an older log's pages.
            let rubbish = seed % 2 == 0 ? bytes(rest, seed: seed) : written.log.prefix(rest)
            try written.restore(to: path, log: written.log.prefix(size) + rubbish)
            #expect(try groups(at: path, "seed \(seed), \(size) bytes") == number + 1)
        }
    }

    @Test(arguments: 1...(Chance.isSoak ? 40 : 8))
    func `DR-30, DR-71: a log with a hole leaves the commits before it`(seed: Int) throws {
        let folder = try TestFolder()
        let written = try write(8, .normal, in: folder)
        let path = folder.path("test.runs")
        let place = seed * 104_729 % written.log.count
        var log = written.log
        log[place] ^= 0x10
        try written.restore(to: path, log: log)
        let count = try groups(at: path, "byte \(place)")
        #expect(count <= 8)
        // The first bytes of the log hold for all of it.
        if place >= 32 { #expect(count >= written.count(at: place), "byte \(place)") }
    }

    @Test func `DR-21, DR-30: the files of a confirmed step exist, whatever part of the log is lost`() throws
    {
        let folder = try TestFolder()
        let path = folder.path("test.runs")
        let run = try SQLiteRunStore(path: path).openTest()
        let manager = FileManager.default
        for step in 0..<4 {
            try run.finish("step \(step)", bytes(100_000, seed: UInt8(step)))
            let copy = folder.path("copy\(step).runs")
            for end in ["", "-wal", "-blobs"] { try manager.copyItem(atPath: path + end, toPath: copy + end) }
            let store = try SQLiteRunStore(path: copy)
            #expect(try store.steps().count == step + 1)
            for name in try store.steps().map(\.name) {
                #expect(try store.result(of: name, in: .test)?.count == 100_000)
            }
        }
    }
}
