import Foundation
import SteplineRuns
import SteplineRunsTesting
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that may be a store, and files that are refused and left alone (DR-25).
@Suite(.timeLimit(.minutes(5))) struct SQLitePlaceTests {
    /// All files of a folder with what is in them.
    private func contents(of folder: URL) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            contents[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return contents
    }

    /// Opens a store, which must be refused, and holds the folder to what it was.
    private func expectRefusal(_ code: RunStoreError.Code, at path: URL, _ words: String = "test.runs: ")
        throws
    {
        let before = try contents(of: path.deletingLastPathComponent())
        let error = #expect(throws: RunStoreError.self) { _ = try SQLiteRunStore(path: path.path) }
        #expect(error?.code == code && error?.description.contains(words) == true, "\(error as Any)")
        #expect(try contents(of: path.deletingLastPathComponent()) == before)
    }

    /// A store with a run in it that nobody has open.
    private func makeStore(_ path: URL) throws {
        let run = try SQLiteRunStore(path: path.path).openTest()
        for step in 0..<300 { try run.finish("step \(step)", bytes(100)) }
        try run.end(.finished, at: moment())
    }

    private func overwrite(_ path: URL, at place: UInt64, with data: Data) throws {
        let file = try FileHandle(forWritingTo: path)
        try file.seek(toOffset: place)
        try file.write(contentsOf: data)
        try file.close()
    }

    @Test func `DR-25: a file that isn't a store is refused and never touched`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            let long = String(repeating: "Not a store. ", count: 1_000)
            for text in ["", "x", "SQLite format 3\0", long] {
                try Data(text.utf8).write(to: path)
                try expectRefusal(.notAStore, at: path)
            }
        }
    }

    @Test func `DR-25: a cut store and another database of SQLite's are refused and never touched`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            try makeStore(path)
            let whole = try Data(contentsOf: path)
            for size in [0, 50, 100, 4_096, whole.count - 4_096, whole.count - 1] {
                try whole.prefix(size).write(to: path)
                try expectRefusal(
                    size < 100 ? .notAStore : .damaged, at: path,
                    size < 100 ? "test.runs: " : "of \(whole.count) bytes it has \(size)")
            }
            // Where SQLite can't look for missing pages.
            try whole.prefix(whole.count - 4_096).write(to: path)
            let index = folder.appendingPathComponent("test.runs-shm")
            try FileManager.default.createDirectory(at: index, withIntermediateDirectories: false)
            #expect(code { _ = try SQLiteRunStore(path: path.path) } == .damaged)
            try FileManager.default.removeItem(at: index)
            // The header names another program than Stepline.
            try whole.write(to: path)
            try overwrite(path, at: 68, with: Data([0, 0, 0, 0]))
            try expectRefusal(.notAStore, at: path, "no store of runs")
        }
    }

    @Test func `a folder and a missing folder are no store`() throws {
        try withFolder { folder in
            #expect(code { _ = try SQLiteRunStore(path: folder.path) } == .notAStore)
            let missing = folder.appendingPathComponent("none/test.runs").path
            #expect(code { _ = try SQLiteRunStore(path: missing) } == .unavailable)
        }
    }

    @Test func `DR-26: all files of a store are its user's alone`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            let store = try SQLiteRunStore(path: path.path)
            let run = try store.openTest()
            try run.finish("a", bytes(100_000))
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(names.count == 6, "\(names)")
            for name in names {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
                let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
                #expect(mode == (name.hasSuffix("-blobs") ? 0o700 : 0o600), "\(name)")
            }
        }
    }

    @Test func `a store is the same by its path and through a link`() throws {
        try withFolder { folder in
            let link = folder.appendingPathComponent("link.runs").path
            let store = try SQLiteRunStore(path: folder.appendingPathComponent("test.runs").path)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
            let run = try store.openTest()
            #expect(code { _ = try SQLiteRunStore(path: link).openTest(2) } == .inProgress)
            run.close()
        }
    }

    @Test func `DR-32: the file systems of networks are known, and local ones are not among them`() throws {
        for (number, name): (Int64, String) in [
            (0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0x0BD0_0BD0, "Lustre"),
        ] {
            #expect(NetworkPlace.name(of: number) == name)
        }
        for number: Int64 in [0, 0xEF53, 0x0102_1994, 0x794C_7630, 0x5846_5342] {
            #expect(NetworkPlace.name(of: number) == nil)
        }
    }

    @Test(.enabled("root may write everything", { geteuid() != 0 }))
    func `DR-17: a store that may not be written can be read`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            try makeStore(path)
            chmod(path.path, 0o400)
            do {
                let store = try SQLiteRunStore(path: path.path)
                #expect(try store.steps().count == 300)
                #expect(code { _ = try store.openTest() } == .readOnly)
            }
            chmod(folder.path, 0o500)
            defer { chmod(folder.path, 0o700) }
            #expect(code { _ = try SQLiteRunStore(path: path.path).openTest() } == .readOnly)
            let new = folder.appendingPathComponent("new.runs").path
            #expect(code { _ = try SQLiteRunStore(path: new) } == .readOnly)
        }
    }
}
