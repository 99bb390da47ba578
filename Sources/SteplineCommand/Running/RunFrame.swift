import Foundation
import SteplinePipeline

/// The lines that a live view shows: a pure function of the board, the date and the terminal's size.
struct RunFrame {
    /// What the terminal is like.
    struct Canvas: Sendable, Hashable {
        var columns = 80
        var rows = 24
        var hasColors = false
        /// Whether it shows more than ASCII.
        var isUnicode = true
    }

    let canvas: Canvas

    /// How many elements of a map are shown where there is no room for all.
    private static let shownElements = 2

    private var ellipsis: String { canvas.isUnicode ? "…" : "..." }

    /// How many lines there are for tasks: below them is that of the whole, and the one that the cursor is on.
    ///
    /// One more stays free where there are enough of them.
    private var room: Int { canvas.rows > 3 ? canvas.rows - 3 : max(canvas.rows - 2, 0) }

    /// A line for each running task, as many as fit, and one for the whole; none where nothing fits.
    func lines(_ board: RunBoard, at now: Date) -> [String] {
        guard canvas.rows > 1 else { return [] }
        let room = room
        let rows = ordered(board, room)
        let shown = rows.count <= room ? rows[...] : rows.prefix(max(room - 1, 0))
        let told = shown.map { facts($0, board.elements[$0.name], at: now) }
        // One column for all, so that they stand below each other.
        let width = min(told.map(Columns.width).max() ?? 0, (canvas.columns - 1) * 2 / 3)
        var lines = zip(shown, told).map { line($0, $1, width) }
        let hidden = board.rows.count - shown.count
        if hidden > 0, room > 0 {
            let more = Columns.cut("  and \(hidden) more", to: canvas.columns - 1, ellipsis: ellipsis)
            lines.append(styled(more, .dim))
        }
        return lines + [whole(board, at: now)]
    }

    /// Each map with its elements below it; where there is no room for all, only the first few of each map.
    private func ordered(_ board: RunBoard, _ room: Int) -> [RunBoard.Row] {
        let most = board.rows.count <= room ? Int.max : Self.shownElements
        let elements = Dictionary(grouping: board.rows.filter { $0.map != nil }) { $0.map ?? "" }
        func withInner(_ row: RunBoard.Row) -> [RunBoard.Row] {
            [row] + (elements[row.name] ?? []).prefix(most).flatMap(withInner)
        }
        return board.rows.filter { $0.map == nil }.flatMap(withInner)
    }

    /// What is left of a run when it is over.
    func summary(_ board: RunBoard, at now: Date) -> String {
        let seconds = now.timeIntervalSince(board.began)
        var text = counts(board)
        if board.notRun > 0 { text += ", \(board.notRun) not run" }
        text += " in " + Amounts.time(seconds)
        if board.bytes > 0 {
            text += ", " + Amounts.bytes(Double(board.bytes))
            text += " at " + Amounts.bytes(Double(board.bytes) / max(seconds, 0.001)) + "/s"
        }
        return text
    }

    private func facts(_ row: RunBoard.Row, _ elements: RunBoard.Elements?, at now: Date) -> String {
        var facts: [String] = []
        if let elements {
            facts.append("\(elements.ended) of \(elements.total)")
            if elements.failed > 0 { facts.append("\(elements.failed) failed") }
        } else if let step = row.step {
            facts.append(step.count > 1 ? "\(step.name) (\(step.index + 1)/\(step.count))" : step.name)
        } else if let note = row.note {
            facts.append(note)
        }
        if row.isWaiting {
            facts.append("waits to try again")
        } else if row.completed > 0 {
            let total = row.total.map { " of " + Amounts.bytes(Double($0)) } ?? ""
            facts.append(Amounts.bytes(Double(row.completed)) + total)
            facts.append(Amounts.bytes(row.pace.rate(at: now)) + "/s")
        } else if let fraction = row.fraction, elements == nil {
            facts.append("\(Int(fraction * 100)) %")
        }
        if row.attempt > 1 { facts.append("attempt \(row.attempt)") }
        facts.append(Amounts.time(now.timeIntervalSince(row.began)))
        // Names and notes may come from outside: nothing in them may move the cursor.
        return Session.oneLine(facts.joined(separator: "  "))
    }

    private func line(_ row: RunBoard.Row, _ facts: String, _ factsWidth: Int) -> String {
        let name = (row.map == nil ? "" : "  ") + Session.oneLine(row.name)
        let room = canvas.columns - 1 - 4 - factsWidth
        guard room >= 4 else { return Columns.cut("  " + facts, to: canvas.columns - 1, ellipsis: ellipsis) }
        let shown = Columns.cut(facts, to: factsWidth, ellipsis: ellipsis)
        return "  " + styled(Columns.fitted(name, to: room, ellipsis: ellipsis), .bold) + "  "
            + styled(shown, row.isWaiting ? .yellow : .plain)
    }

    private func whole(_ board: RunBoard, at now: Date) -> String {
        var facts = [counts(board)]
        if board.bytes > 0 {
            facts.append(Amounts.bytes(Double(board.bytes)))
            facts.append(Amounts.bytes(board.rate(at: now)) + "/s")
        }
        facts.append(Amounts.time(now.timeIntervalSince(board.began)))
        if let notice = board.notice { facts.append(notice) }
        let text = Columns.cut(facts.joined(separator: ", "), to: canvas.columns - 1, ellipsis: ellipsis)
        return styled(text, board.failed > board.allowed ? .red : .green)
    }

    private func counts(_ board: RunBoard) -> String {
        var text = "\(board.finished)\(board.total.map { " of \($0)" } ?? "") done"
        if board.failed > 0 {
            text += ", \(board.failed) failed"
            if board.allowed > 0 {
                text += board.allowed == board.failed ? " (allowed)" : " (\(board.allowed) allowed)"
            }
        }
        if board.cancelled > 0 { text += ", \(board.cancelled) cancelled" }
        if board.skipped > 0 { text += ", \(board.skipped) skipped" }
        if board.upToDate > 0 { text += ", \(board.upToDate) up to date" }
        return text
    }

    private enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    private func styled(_ text: String, _ style: Style) -> String {
        canvas.hasColors && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
