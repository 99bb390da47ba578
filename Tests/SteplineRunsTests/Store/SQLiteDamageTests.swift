import Foundation
import SteplineRunsTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// A disk that is full, files that are gone or changed: nothing committed is lost, and nothing wrong is given
/// out.
@Suite(.timeLimit(.minutes(5))) struct SQLiteDamageTests {
    private func blobs(of store: SQLiteRunStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.path + "-blobs").map {
            "\(store.path)-blobs/\($0)"
        }
    }

    private func size(_ path: String) throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test func `DR-17: a disk that gets full leaves the store as at the last commit`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let store = try SQLiteRunStore(path: path, pageLimit: 40)
            let run = try store.openTest()
            var kept = 0
            let failure = #expect(throws: RunStoreError.self) {
                while true {
                    _ = try run.write(
                        (0..<10).map {
                            let name = "step \(kept + $0)"
                            return StepChange(
                                .finished(bytes(500)), of: name, attempt: 1, token: 1, at: moment())
                        })
                    kept += 10
                }
            }
            #expect(failure?.code == .full && failure?.store == "test.runs" && kept > 0)
            #expect(try store.steps().count == kept && store.run(.test)?.finished == kept)
            run.close()
            let again = try SQLiteRunStore(path: path)
            #expect(try again.steps().count == kept)
            #expect(try again.openTest(2).finish("more", token: 2))
        }
    }

    @Test func `DR-17: a disk that gets full in a large result keeps nothing of it`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let store = try SQLiteRunStore(path: path, pageLimit: nil, blobLimit: 90_000)
            let run = try store.openTest()
            try run.finish("fits", bytes(80_000))
            #expect(code { try run.finish("doesn't", bytes(100_000)) } == .full)
            #expect(try store.steps().map(\.name) == ["fits"])
            #expect(try blobs(of: store).count == 1 && run.result(of: "fits") == bytes(80_000))
        }
    }

    @Test func `DR-14: a disk that is full three times is no interruption of a step`() async throws {
        let folder = try TestFolder()
        let path = folder.path("test.runs")
        func workflow() throws -> Workflow {
            let workflow = Workflow("full")
            let first = try workflow.add("first") { 1 }
            let large = try workflow.add("large", after: first) { number in
                String(repeating: "x", count: 100_000 + number)
            }
            try workflow.add("last", after: large) { $0.utf8.count }
            return workflow
        }
        for _ in 0..<4 {
            let store = try SQLiteRunStore(path: path, pageLimit: nil, blobLimit: 90_000)
            let error = await #expect(throws: RunStoreError.self) {
                try await workflow().run(in: store, key: "k")
            }
            #expect(error?.code == .full)
            #expect(try store.run(RunID("full", key: "k"))?.state == .interrupted)
        }
        let report = try await workflow().run(in: .file(path), key: "k")
        #expect(report.restored == ["first"] && report.executed == ["large", "last"])
    }

    @Test func `DR-21: a large result that is gone or changed is reported, and can be made again`() throws {
        try withFolder { folder in
            let store = try SQLiteRunStore(path: folder.appendingPathComponent("test.runs").path)
            let run = try store.openTest()
            try run.finish("a", bytes(100_000))
            let blob = try #require(try blobs(of: store).first)
            var damaged = bytes(100_000)
            damaged[50_000] ^= 1
            for wrong in [damaged, damaged.dropLast(), nil] {
                if let wrong {
                    try wrong.write(to: URL(fileURLWithPath: blob))
                } else {
                    try FileManager.default.removeItem(atPath: blob)
                }
                let error = #expect(throws: RunStoreError.self) { _ = try store.result(of: "a", in: .test) }
                #expect(error?.code == .resultDamaged && error?.description.contains("\"a\"") == true)
            }
            try damaged.write(to: URL(fileURLWithPath: blob))
            #expect(try run.finish("a", attempt: 2, bytes(100_000)))
            #expect(try run.result(of: "a") == bytes(100_000))
        }
    }

    @Test
    func `DR-21: results read together are those of their steps, and the next read works after a failure`()
        throws
    {
        try withFolder { folder in
            let store = try SQLiteRunStore(path: folder.appendingPathComponent("test.runs").path)
            let run = try store.openTest()
            let small = (0..<300).map { "step \($0)" }
            for (number, name) in small.enumerated() { try run.finish(name, bytes(number)) }
            try run.finish("large", bytes(100_000))
            let expected = [nil, bytes(100_000)] + small.indices.map { bytes($0) }
            func read(_ names: [String], in id: RunID = .test) throws -> [Data?] {
                try (store as any RunStore).results(of: names, in: id)
            }
            #expect(try read(["none", "large"] + small) == expected)
            #expect(try read([]) == [])
            #expect(code { _ = try read(["large"], in: RunID("none", key: "k")) } == .noSuchRun)
            try FileManager.default.removeItem(atPath: try #require(try blobs(of: store).first))
            let error = #expect(throws: RunStoreError.self) { _ = try read(["step 1", "large"]) }
            #expect(error?.code == .resultDamaged && error?.description.contains("\"large\"") == true)
            // Also of what was committed since: the connection is in no transaction.
            try run.finish("new", bytes(7))
            #expect(try read(["new", "step 1"]) == [bytes(7), bytes(1)])
        }
    }

    @Test func `a small result that the disk has changed is reported`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            let result = Data("an unmistakable result".utf8)
            do {
                let run = try SQLiteRunStore(path: path.path).openTest()
                try run.finish("a", result)
            }
            var file = try Data(contentsOf: path)
            let place = try #require(file.range(of: result))
            file[place.lowerBound] ^= 1
            try file.write(to: path)
            #expect(
                code { _ = try SQLiteRunStore(path: path.path).result(of: "a", in: .test) } == .resultDamaged)
        }
    }

    @Test func `DR-33: a large run is forgotten in several transactions, and its space is given back`() throws
    {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let store = try SQLiteRunStore(path: path)
            let run = try store.openTest()
            let names = (0..<5_000).map { "step \($0)" }
            _ = try run.write(
                names.map {
                    StepChange(.finished(bytes(200)), of: $0, attempt: 1, token: 1, at: moment())
                })
            try run.end(.finished, at: moment())
            #expect(try store.forget(.test))
            #expect(try size(path) < 100_000)
            #expect(try store.run(.test) == nil)
            let again = try store.openTest(2)
            #expect(try store.steps().isEmpty)
            again.close()
        }
    }

    @Test(arguments: [30, 100_000])
    func `a result that has come under another step's name is reported`(size: Int) throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            do {
                let run = try SQLiteRunStore(path: path.path).openTest()
                try run.finish("unmistakable1", bytes(size))
            }
            var file = try Data(contentsOf: path)
            let place = try #require(file.range(of: Data("unmistakable1".utf8)))
            file[place.upperBound - 1] = UInt8(ascii: "2")
            try file.write(to: path)
            let store = try SQLiteRunStore(path: path.path)
            #expect(code { _ = try store.result(of: "unmistakable2", in: .test) } == .resultDamaged)
        }
    }

    @Test func `DR-17: a page that was overwritten is damage, found where it is read`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs")
            do {
                let run = try SQLiteRunStore(path: path.path).openTest()
                for step in 0..<300 { try run.finish("step \(step)", bytes(200)) }
            }
            var file = try Data(contentsOf: path)
            // The last leaf of the steps; what is before it is whole.
            let leaf = file.count / 4_096 - 1
            file.replaceSubrange(leaf * 4_096..<(leaf + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
            try file.write(to: path)
            let store = try SQLiteRunStore(path: path.path)
            #expect(try store.runs(of: nil).count == 1)
            let error = #expect(throws: RunStoreError.self) { _ = try store.steps() }
            #expect(error?.code == .damaged && error?.underlying != nil)
        }
    }

    @Test func `DR-17: a file that is taken away while it is in use is reported`() throws {
        try withFolder { folder in
            let store = try SQLiteRunStore(path: folder.appendingPathComponent("test.runs").path)
            let run = try store.openTest()
            try run.finish("a")
            try FileManager.default.removeItem(atPath: store.path)
            #expect(code { try run.finish("b") } == .unavailable)
        }
    }

    @Test func `DR-33: forgetting gives the space back, and leaves results that another run names`() throws {
        try withFolder { folder in
            let store = try SQLiteRunStore(
                path: folder.appendingPathComponent("test.runs").path, durability: .normal)
            let other = try store.openTest(id: RunID("mirror", key: "other"))
            try other.finish("shared", bytes(100_000))
            let run = try store.openTest()
            try run.finish("shared", bytes(100_000))
            try run.finish("own", bytes(100_000, seed: 1))
            for step in 0..<200 { try run.finish("step \(step)", bytes(10_000)) }
            try run.end(.finished, at: moment())
            #expect(try blobs(of: store).count == 2)
            #expect(try store.forget(.test))
            #expect(try blobs(of: store).count == 1 && other.result(of: "shared") == bytes(100_000))
            #expect(try size(store.path) < 200_000)
        }
    }

    @Test func `DR-33: leftovers of a killed process are removed by the next forget`() throws {
        try withFolder { folder in
            let store = try SQLiteRunStore(path: folder.appendingPathComponent("test.runs").path)
            let run = try store.openTest()
            try run.finish("a", bytes(100_000))
            let names = [String(repeating: "ab", count: 32), "new-x", "README"]
            for name in names { try Data().write(to: URL(fileURLWithPath: "\(store.path)-blobs/\(name)")) }
            #expect(try store.forget(endedBefore: moment()) == 0)
            #expect(try blobs(of: store).count == 2 && run.result(of: "a") == bytes(100_000))
        }
    }
}
