import Foundation
import SteplineJSON
import SteplineRuns
import SteplineRunsTesting
import Testing

@Suite("The verbs over a store", .timeLimit(.minutes(5)))
struct StoredRunsTests {
    private let store: any RunStore = .memory()
    private let date = Date(timeIntervalSince1970: 1_795_348_800)  // 2026-11-22 12:00 UTC
    private let guide = RunsGuide {
        "mirror run --key \($0.id.key)"
    } retry: {
        "mirror run --key \($0.id.key) --retrying-failures"
    } cancel: {
        "mirror runs cancel \($0.id.key)"
    }

    private func runs(of workflow: String? = nil, isJSON: Bool = false) -> StoredRuns {
        StoredRuns(store, of: workflow, isJSON: isJSON, guide: guide, now: date.addingTimeInterval(3600))
    }

    /// Makes a run with these changes of steps; without an ending it stays open, or is given up.
    @discardableResult
    private func add(
        _ key: String, of workflow: String = "mirror", _ changes: [(StepChange.Kind, String, Int)] = [],
        ending: RunEnding? = nil, closing: Bool = true
    ) throws -> any OpenRun {
        let owner = RunOwner(since: date)
        let run = try store.open(RunID(workflow, key: key), input: nil, as: owner, at: date)
        for (number, (kind, step, attempt)) in changes.enumerated() {
            let when = date.addingTimeInterval(Double(number))
            _ = try run.write([StepChange(kind, of: step, attempt: attempt, token: owner.token, at: when)])
        }
        if let ending { try run.end(ending, at: date.addingTimeInterval(60)) } else if closing { run.close() }
        return run
    }

    private let refusal = StepFailure(code: "Refused", message: "the page is refused")

    @Test("DR-60: list prints runs with their states, newest first, and filters them by state and age")
    func list() throws {
        #expect(try runs().list().output == "no runs\n")
        try add("a", ending: .finished)
        try add("b", ending: .failed)
        try add("c", ending: .cancelled("enough"))
        try add("d")
        let open = try add("e", closing: false)
        let lines = try runs().list().output.split(separator: "\n")
        let rows = lines.dropFirst().map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(
            rows == [
                "mirror e running", "mirror d interrupted", "mirror c cancelled", "mirror b failed",
                "mirror a finished",
            ])
        #expect(try runs(of: "other").list().output == "no runs\n")
        let json = runs(isJSON: true)
        let lists = try [
            json.list(), json.list(in: .failed), json.list(in: .running),
            json.list(in: .finished, olderThan: .seconds(60)), json.list(olderThan: .seconds(36_000_000)),
        ]
        let keys = try lists.map { try JSON(parsing: $0.output).array?.compactMap { $0["key"]?.string } }
        #expect(keys == [["e", "d", "c", "b", "a"], ["b"], ["e"], ["a"], []])
        _ = open
    }

    @Test("DR-60: show tells of each step its state, attempts and error, why it waits, and what to do next")
    func show() throws {
        try add(
            "k",
            [
                (.finished(Data("1".utf8)), "index", 1), (.began, "page[/a]", 1),
                (.failed(refusal), "page[/b]", 2),
                (.waiting(refusal, due: date.addingTimeInterval(7200), wait: 7200), "page[/c]", 1),
            ])
        let text = try runs().show("k").output
        let rows = text.split(separator: "\n").map(String.init)
        #expect(rows[0] == "mirror/k: interrupted, 1 step finished, 1 failed")
        #expect(rows.contains { $0.hasPrefix("index") && $0.contains(" finished ") })
        #expect(rows.contains { $0.hasPrefix("page[/a]") && $0.contains("interrupted") })
        #expect(rows.contains { $0.hasPrefix("page[/b]") && $0.hasSuffix("the page is refused") })
        #expect(rows.contains { $0.hasPrefix("page[/c]") && $0.contains("due at 2026-11-22 14:00:00") })
        #expect(rows.last == "to continue: mirror run --key k")
        let json = try JSON(parsing: runs(isJSON: true).show("k").output)
        #expect(json["steps"]?.array?.count == 4 && json["next"]?.string == "to continue: mirror run --key k")
        #expect(json["steps"]?.array?[2]["error"]?["message"]?.string == "the page is refused")
    }

    @Test(
        "DR-60: show ends with what to do next",
        arguments: [
            (RunEnding.finished, "there is nothing left to do"), (.failed, "--retrying-failures"),
            (.cancelled("enough"), "the run stays cancelled"), (.incomplete, "to continue: "),
        ])
    func next(_ ending: RunEnding, _ words: String) throws {
        try add("k", ending: ending)
        let last = try runs().show("k").output.split(separator: "\n").last
        #expect(last?.contains(words) == true)
    }

    @Test("DR-60: a run that is running is shown with its process, and with how to stop it")
    func running() throws {
        let open = try add("k", [(.began, "index", 1)], closing: false)
        let text = try runs().show("k").output
        let process = "process \(ProcessInfo.processInfo.processIdentifier) on "
        for part in ["mirror/k: running", "since 2026-11-22 12:00:00", process, "mirror runs cancel k"] {
            #expect(text.contains(part), "\(part)")
        }
        _ = open
    }

    @Test("DR-60: log has all attempts by time, those that were followed by others too")
    func log() throws {
        try add(
            "k",
            [
                (.began, "page", 1), (.waiting(refusal, due: date, wait: 1), "page", 1), (.began, "page", 2),
                (.finished(nil), "page", 2), (.finished(nil), "report", 1),
            ])
        let rows = try runs().log("k").output.split(separator: "\n").dropFirst().map(String.init)
        #expect(rows.count == 3)
        #expect(rows[0].contains("page    1        failed    1.0 s  the page is refused"))
        #expect(rows[1].contains("page    2        finished"))
        #expect(rows[2].contains("report  1        finished"))
        let json = try JSON(parsing: runs(isJSON: true).log("k").output)
        #expect(json.array?.compactMap { $0["attempt"]?.int } == [1, 2, 1])
    }

    @Test(
        "DR-19, DR-60: cancel signals the owner of a run, and ends a run without owner at once, with its reason"
    )
    func cancel() throws {
        let open = try add("open", closing: false)
        #expect(try runs().cancel("open", reason: "enough").output.contains("is asked to stop"))
        #expect(try store.signals(of: open.record.id) == [.cancel("enough")])
        #expect(try runs().cancel("open", reason: "again").output.contains("was already asked to stop"))
        try add("given up")
        #expect(try runs().cancel("given up", reason: "enough").output == "mirror/given up is cancelled\n")
        #expect(try store.run(RunID("mirror", key: "given up"))?.ending == .cancelled("enough"))
        #expect(throws: RunsError.self) { try runs().cancel("given up", reason: "again") }
        try add("over", ending: .finished)
        #expect(throws: RunsError.self) { try runs().cancel("over", reason: "late") }
    }

    @Test("DR-60: pause holds a run until resume, which says whether a process continues it")
    func pause() throws {
        let open = try add("open", closing: false)
        #expect(try runs().pause("open").output == "mirror/open is paused; running steps continue\n")
        #expect(try runs().pause("open").output == "mirror/open was already paused\n")
        #expect(try runs().show("open").output.contains("\npaused: no step begins until runs resume\n"))
        #expect(try JSON(parsing: runs(isJSON: true).show("open").output)["isPaused"]?.bool == true)
        #expect(try runs().resume("open")?.output == "mirror/open continues\n")
        #expect(try runs().resume("open")?.output == nil)
        open.close()
        #expect(try runs(isJSON: true).pause("open").output.contains("\"isTaken\":true"))
        #expect(try runs().resume("open")?.output == nil && !store.isPaused(open.record.id))
    }

    @Test("DR-20, DR-60: signal fulfils a condition once")
    func signal() throws {
        let open = try add("k", closing: false)
        let first = try runs().signal("k", condition: "approved", value: Data("true".utf8))
        let second = try runs().signal("k", condition: "approved", value: nil)
        #expect(first.code == 0 && first.output.contains("approved is fulfilled"))
        #expect(second.code == 1 && second.output.contains("was already fulfilled"))
        #expect(try store.signals(of: open.record.id) == [.fulfil(condition: "approved", Data("true".utf8))])
        let json = try JSON(parsing: runs(isJSON: true).signal("k", condition: "x", value: nil).output)
        #expect(json["isTaken"]?.bool == true)
    }

    @Test("DR-33, DR-60: forget removes a run, or all that ended long ago, and none that is running")
    func forget() throws {
        try add("a", ending: .finished)
        try add("b", of: "other", ending: .finished)
        let open = try add("c", closing: false)
        #expect(try runs().forget(olderThan: .seconds(7200)).output == "0 runs forgotten\n")
        #expect(try runs(of: "other").forget(olderThan: .seconds(60)).output == "1 run forgotten\n")
        #expect(try runs(isJSON: true).forget("a").output == "{\"forgotten\":1}\n")
        #expect(throws: RunStoreError.self) { try runs().forget("c") }
        #expect(try store.runs(of: nil).map(\.id.key) == ["c"])
        _ = open
    }

    @Test(
        "DR-60: a key of two workflows is ambiguous, and an unknown key is reported with the known ones"
    )
    func keys() throws {
        try add("k", ending: .finished)
        try add("k", of: "other", ending: .failed)
        #expect(throws: RunsError.self) { try runs().show("k") }
        #expect(try runs().show("other/k").output.hasPrefix("other/k: failed"))
        #expect(try runs(of: "mirror").show("k").output.hasPrefix("mirror/k: finished"))
        do {
            _ = try runs().show("q")
            Issue.record("there is no such run")
        } catch {
            #expect("\(error)" == "memory has no run q; it has other/k, mirror/k")
        }
    }

    @Test("DR-60: names and errors can't move the cursor of a terminal")
    func controls() throws {
        try add("k", [(.failed(StepFailure(code: "E", message: "red\u{1B}[31m\ntwo lines")), "a\u{7}b", 1)])
        let text = try runs().show("k").output + runs().log("k").output
        #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
    }
}
