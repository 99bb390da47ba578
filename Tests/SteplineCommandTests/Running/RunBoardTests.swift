import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow
import Testing

@testable import SteplineCommand

/// Events as they come from a stream, at times of the test's choice.
enum Events {
    static let start = Date(timeIntervalSince1970: 1_000_000)

    static func task(
        _ name: String, _ kind: WorkflowEvent.Kind, at seconds: Double = 0, attempt: Int = 1
    ) throws -> WorkflowEvent {
        // Events have no public initialiser; their coded form is public.
        let time = try coded(start.addingTimeInterval(seconds))
        let text = """
            {"number":1,"time":\(time),"task":{"path":[1]},"name":\(try coded(name)),"attempt":\(attempt),
            "kind":\(try coded(kind))}
            """
        return try JSONDecoder().decode(WorkflowEvent.self, from: Data(text.utf8))
    }

    static func pipeline(_ kind: PipelineEvent.Kind, at seconds: Double = 0) throws -> PipelineEvent {
        let time = try coded(start.addingTimeInterval(seconds))
        let text = """
            {"number":1,"time":\(time),"pipeline":"p","kind":\(try coded(kind))}
            """
        return try JSONDecoder().decode(PipelineEvent.self, from: Data(text.utf8))
    }

    static func step(_ name: String = "load", _ index: Int = 0, of count: Int = 1) throws -> StepPosition {
        let text = #"{"name":"\#(name)","type":"T","index":\#(index),"count":\#(count)}"#
        return try JSONDecoder().decode(StepPosition.self, from: Data(text.utf8))
    }

    private static func coded(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}

@Suite("The status line, drawn without a terminal", .timeLimit(.minutes(5)))
struct RunBoardTests {
    private let plain = RunFrame(canvas: .init(columns: 80, hasColors: false, isUnicode: true))

    private func board(_ total: Int = 3) -> RunBoard { RunBoard(total: total, began: Events.start) }

    private func line(_ board: RunBoard, _ frame: RunFrame? = nil, at seconds: Double = 0) -> String {
        (frame ?? plain).line(board, at: Events.start.addingTimeInterval(seconds))
    }

    @Test("the line has counts, bytes, rate and time, and each running task with its step")
    func running() throws {
        var board = board()
        try board.apply(Events.task("a", .started))
        try board.apply(Events.task("b", .started))
        let step = try Events.step("load", 0, of: 2)
        try board.apply(Events.pipeline(.stepStarted(step, attempt: 1)), of: "a")
        for (seconds, bytes) in [(1.0, Int64(1_000_000)), (2, 3_000_000)] {
            try board.apply(
                Events.pipeline(
                    .progressed(step, fraction: nil, completed: bytes, total: 4_000_000), at: seconds),
                of: "a")
        }
        #expect(line(board, at: 2) == "0 of 3 done, 3.0 MB, 2.0 MB/s, 2.0 s: a load (1/2), b")
        board.notice = "stopping"
        #expect(line(board, at: 2).hasPrefix("stopping, 0 of 3 done, "))
    }

    @Test("a retry shows the wait; its bytes count again, and the sum never shrinks")
    func retrying() throws {
        var board = board(1)
        let step = try Events.step()
        try board.apply(Events.task("a", .started))
        try board.apply(Events.pipeline(.stepStarted(step, attempt: 1)), of: "a")
        try board.apply(
            Events.pipeline(.progressed(step, fraction: nil, completed: 500, total: nil)), of: "a")
        try board.apply(
            Events.pipeline(.retrying(step, failedAttempt: 1, error: "lost", wait: .seconds(1))), of: "a")
        #expect(line(board).hasSuffix(": a load (waits to try again)"))
        try board.apply(Events.pipeline(.stepStarted(step, attempt: 2)), of: "a")
        #expect(line(board).hasSuffix(": a load"))
        #expect(board.bytes == 500)
        try board.apply(
            Events.pipeline(.progressed(step, fraction: nil, completed: 700, total: nil)), of: "a")
        #expect(board.bytes == 1200)
    }

    @Test("tasks that have ended are counted and not named; late progress of their pipelines still counts")
    func ended() throws {
        var board = board(4)
        for name in ["a", "b", "c", "d"] { try board.apply(Events.task(name, .started)) }
        try board.apply(Events.task("a", .finished))
        try board.apply(Events.task("b", .failed("status 404")))
        try board.apply(Events.task("c", .cancelled(.requested)))
        try board.apply(
            Events.pipeline(.progressed(Events.step(), fraction: 1, completed: 12, total: 12)), of: "a")
        #expect(line(board) == "1 of 4 done, 1 failed, 1 cancelled, 12 B, 0 B/s, 0.0 s: d")
        let summary = plain.summary(board, at: Events.start.addingTimeInterval(4))
        #expect(summary == "1 of 4 done, 1 failed, 1 cancelled in 4.0 s, 12 B at 3 B/s")
    }

    @Test("tasks that could not run are reported at the end, and added ones count")
    func notRun() throws {
        var board = board(2)
        try board.apply(Events.task("late", .added))
        try board.apply(Events.task("a", .started))
        try board.apply(Events.task("a", .failed("x")))
        #expect(plain.summary(board, at: Events.start) == "0 of 3 done, 1 failed, 2 not run in 0.0 s")
        #expect(line(board) == "0 of 3 done, 1 failed, 0.0 s")
    }

    @Test("the elements of a map are named while it runs")
    func elements() throws {
        var board = board(1)
        try board.apply(Events.task("map", .started))
        for number in 0..<3 { try board.apply(Events.task("map[\(number)]", .started), elementOf: "map") }
        try board.apply(Events.task("map[0]", .finished), elementOf: "map")
        try board.apply(Events.task("map", .progress(0.3, "1 of 3")))
        #expect(line(board) == "0 of 1 done, 0.0 s: map 1 of 3, map[1], map[2]")
        try board.apply(Events.task("map", .failed("x")))
        try board.apply(Events.task("map[3]", .started), elementOf: "map")
        #expect(line(board) == "0 of 1 done, 1 failed, 0.0 s" && board.notRun == 0)
    }

    @Test("a crawl shows pages, queue, failures and rate, and its summary counts only pages of this process")
    func pages() throws {
        var board = board(0)
        board.countsPages = true
        board.keep(10)
        for number in 0..<20 { try board.apply(Events.task("page[\(number)]", .added)) }
        for number in 10..<16 {
            try board.apply(Events.task("page[\(number)]", .started))
            let end = number == 12 ? WorkflowEvent.Kind.failed("x") : .finished
            try board.apply(Events.task("page[\(number)]", end, at: Double(number - 10) * 0.5))
        }
        try board.apply(Events.task("page[16]", .started))
        #expect(line(board, at: 2.5) == "15 pages done, 3 queued, 1 failed, 2.0 pages/s, 2.5 s: page[16]")
        let summary = plain.summary(board, at: Events.start.addingTimeInterval(0.5))
        #expect(summary == "15 pages done, 3 queued, 1 failed in 0.5 s, 12 pages/s")
    }

    @Test("the line is narrower than the terminal, and cut at its end")
    func fitting() throws {
        var board = board(200)
        for number in 0..<50 {
            try board.apply(Events.task("http://example.com/日本/\(number)", .started))
        }
        for columns in [1, 2, 5, 20, 40, 80, 200] {
            let line = line(board, RunFrame(canvas: .init(columns: columns)))
            #expect(Columns.width(line) < columns && (columns < 3 || line.hasSuffix("…")), "\(columns)")
        }
    }

    @Test("names from outside can't move the cursor, and wide letters take two columns")
    func hostileNames() throws {
        var board = board(1)
        try board.apply(Events.task("a\u{1B}[2Jb\r\n\u{9B}c", .started))
        #expect(!line(board).unicodeScalars.contains { $0.isControl })
        #expect(Columns.width("日本é\u{301}") == 5)
        #expect(Columns.prefix("日本日本", 5) == "日本")
    }

    @Test("colours and … are used only where the terminal has them")
    func styles() throws {
        var board = board(1)
        try board.apply(Events.task(String(repeating: "n", count: 300), .started))
        let ascii = line(board, RunFrame(canvas: .init(columns: 80, hasColors: false, isUnicode: false)))
        #expect(ascii.hasSuffix("...") && ascii.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B })
        let colored = line(board, RunFrame(canvas: .init(columns: 80, hasColors: true, isUnicode: true)))
        #expect(colored.hasPrefix("\u{1B}[32m") && colored.hasSuffix("\u{1B}[0m"))
    }

    @Test(
        "amounts are written for people",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9960, "10 kB"),
            (999_499, "999 kB"), (999_500, "1.0 MB"), (34e6, "34 MB"), (5.5e9, "5.5 GB"), (-3, "0 B"),
        ])
    func bytes(count: Double, text: String) { #expect(Amounts.bytes(count) == text) }

    @Test(
        "times are written for people",
        arguments: [
            (0, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1:00"), (125, "2:05"),
            (3600, "1:00:00"), (-1, "0.0 s"), (.nan, "0.0 s"),
        ])
    func times(seconds: Double, text: String) { #expect(Amounts.time(seconds) == text) }
}
