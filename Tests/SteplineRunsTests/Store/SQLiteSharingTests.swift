import Dispatch
import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import Testing

/// Several stores on one file, as in several processes: their locks are those of open files, not of
/// processes.
@Suite(.timeLimit(.minutes(5))) struct SQLiteSharingTests {
    @Test func `DR-18: an owner in another store is known while it lives, and at once when it has died`()
        throws
    {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let observer = try SQLiteRunStore(path: path)
            do {
                let run = try SQLiteRunStore(path: path).openTest()
                try run.finish("a")
                #expect(
                    try observer.run(.test)?.isOpen == true && observer.runs(of: nil).first?.isOpen == true)
                let error = #expect(throws: RunStoreError.self) { _ = try observer.openTest(2) }
                #expect(error?.code == .inProgress && error?.owner == .test())
                #expect(error?.description.contains("process 42 on host") == true)
                #expect(code { _ = try observer.forget(.test) } == .inProgress)
                #expect(try run.finish("b"))
            }
            #expect(try observer.run(.test)?.isOpen == false)
            let next = try observer.openTest(2)
            #expect(try next.finish("c", token: 2) && observer.steps().count == 3)
        }
    }

    @Test func `DR-61: a run that ends while it is read is open or ended, never interrupted`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let observer = try SQLiteRunStore(path: path, durability: .normal)
            let store = try SQLiteRunStore(path: path, durability: .normal)
            let interrupted = Locked<[String]>([])
            for round in 0..<40 {
                let id = RunID("w", key: "\(round)")
                let run = try store.openTest(id: id)
                DispatchQueue.concurrentPerform(iterations: 2) { worker in
                    do {
                        if worker == 0 {
                            try run.end(.finished, at: moment())
                            run.close()
                        } else {
                            for _ in 0..<8 {
                                var records = Array(try observer.runs(of: "w").prefix(1))
                                if let record = try observer.run(id) { records.append(record) }
                                if records.contains(where: { !$0.isOpen && $0.ended == nil }) {
                                    interrupted.withLock { $0.append("round \(round)") }
                                }
                            }
                        }
                    } catch { interrupted.withLock { $0.append("\(error)") } }
                }
            }
            #expect(interrupted.withLock { $0 } == [])
        }
    }

    @Test func `DR-25: a store is whole also while another one moves its log into the file`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            _ = try SQLiteRunStore(path: path, durability: .normal)
            let refused = Locked<[String]>([]), isDone = Locked(false)
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                do {
                    if worker == 0 {
                        defer { isDone.withLock { $0 = true } }
                        // The last connection moves the log into the file, which grows by it.
                        for round in 0..<60 {
                            let store = try SQLiteRunStore(path: path, durability: .normal)
                            let run = try store.openTest(id: RunID("w", key: "\(round)"))
                            for step in 0..<4 { try run.finish("\(step)", bytes(20_000)) }
                        }
                    } else {
                        while !isDone.withLock({ $0 }) {
                            _ = try SQLiteRunStore(path: path, durability: .normal)
                        }
                    }
                } catch { refused.withLock { $0.append("\(error)") } }
            }
            #expect(refused.withLock { $0 } == [])
        }
    }

    @Test func `DR-11: an owner that lost its lock without knowing it is refused by its token`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let old = try SQLiteRunStore(path: path).openTest()
            // The file with the locks is removed: the next owner isn't kept out.
            try FileManager.default.removeItem(atPath: path + "-owners")
            let new = try SQLiteRunStore(path: path).openTest(2)
            #expect(code { try old.finish("a") } == .ownershipLost)
            #expect(try new.finish("a", token: 2))
        }
    }

    @Test func `DR-31: several read whole commits while one writes`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let store = try SQLiteRunStore(path: path, durability: .normal)
            let run = try store.openTest()
            let failures = Locked<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 3) { worker in
                do {
                    if worker == 0 {
                        for group in 0..<50 {
                            _ = try run.write(
                                (0..<10).map {
                                    let name = "\(group) \($0)"
                                    return StepChange(
                                        .finished(nil), of: name, attempt: 1, token: 1, at: moment())
                                })
                        }
                    } else {
                        let reader = worker == 1 ? store : try SQLiteRunStore(path: path)
                        for _ in 0..<50 {
                            let count = try reader.steps().count
                            if count % 10 != 0 { failures.withLock { $0.append("\(count) steps") } }
                        }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(try store.run(.test)?.finished == 500)
        }
    }

    @Test func `DR-31: a store that others keep busy is waited for, with an end`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let patient = try SQLiteRunStore(path: path)
            let run = try patient.openTest()
            let hasty = try SQLiteRunStore(path: path, timeout: .milliseconds(1))
            try patient.whileWriting { () throws in
                #expect(code { _ = try hasty.openTest(2, id: RunID("a", key: "b")) } == .busy)
                #expect(try hasty.run(.test)?.isOpen == true)
            }
            try run.finish("a")
        }
    }

    @Test func `DR-31: a process that writes without a pause leaves gaps for others`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let run = try SQLiteRunStore(path: path, durability: .normal).openTest()
            let other = try SQLiteRunStore(path: path, durability: .normal, timeout: .seconds(3))
            let failures = Locked<[String]>([]), isDone = Locked(false)
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                do {
                    if worker == 0 {
                        defer { isDone.withLock { $0 = true } }
                        for key in 0..<10 { try other.openTest(2, id: RunID("w", key: "\(key)")).close() }
                    } else {
                        var attempt = 0
                        while !isDone.withLock({ $0 }) {
                            attempt += 1
                            let changes = (0..<100).map { step in
                                StepChange(
                                    .finished(nil), of: "\(step)", attempt: attempt, token: 1, at: moment())
                            }
                            _ = try run.write(changes)
                        }
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
            #expect(failures.withLock { $0 } == [])
        }
    }

    @Test func `many runs are listed with those that are open`() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("test.runs").path
            let store = try SQLiteRunStore(path: path, durability: .normal)
            var open: [any OpenRun] = []
            for key in 0..<2_000 {
                let run = try store.openTest(id: RunID("w", key: "\(key)"))
                if key % 100 == 7 { open.append(run) }
            }
            let other = try SQLiteRunStore(path: path).runs(of: "w")
            #expect(try other == store.runs(of: nil) && other.count == 2_000)
            #expect(other.filter(\.isOpen).map(\.id) == open.reversed().map(\.record.id))
        }
    }
}
