import Foundation

/// The status line of a run: a pure function of the board, the date and the terminal's width.
struct RunFrame {
    /// The properties of a terminal.
    struct Canvas: Sendable, Hashable {
        var columns = 80
        var hasColors = false
        /// Whether the terminal shows more than ASCII.
        var isUnicode = true
    }

    let canvas: Canvas

    /// Returns `1 of 3 done, 3.0 MB, 2.0 MB/s, 2.0 s: page load (1/2), …`, narrower than the terminal.
    ///
    /// For a crawl: `120 pages done, 311 queued, 35 pages/s, 4.0 s: …`.
    func line(_ board: RunBoard, at now: Date) -> String {
        var facts = [board.notice, counts(board)].compactMap(\.self)
        if board.countsPages { facts.append(Self.pace(board.rate(at: now))) }
        if board.bytes > 0 {
            facts.append(Amounts.bytes(Double(board.bytes)))
            facts.append(Amounts.bytes(board.rate(at: now)) + "/s")
        }
        facts.append(Amounts.time(now.timeIntervalSince(board.began)))
        let running = board.rows.map(Self.text).joined(separator: ", ")
        let line = facts.joined(separator: ", ") + (running.isEmpty ? "" : ": " + running)
        return colored(cut(line), isRed: board.failed > board.allowed)
    }

    private static func text(_ row: RunBoard.Row) -> String {
        // Names and notes may come from outside: remove control characters.
        Session.oneLine(([row.name] + [row.step ?? row.note].compactMap(\.self)).joined(separator: " "))
            + (row.isWaiting ? " (waits to try again)" : "")
    }

    /// Returns the part of a line that is narrower than the terminal.
    private func cut(_ line: String) -> String {
        guard Columns.width(line) >= canvas.columns else { return line }
        let ellipsis = canvas.isUnicode ? "…" : "..."
        let room = canvas.columns - 1 - Columns.width(ellipsis)
        return room > 0 ? Columns.prefix(line, room) + ellipsis : ""
    }

    /// Returns the final line of a run.
    func summary(_ board: RunBoard, at now: Date) -> String {
        let seconds = now.timeIntervalSince(board.began)
        var text = counts(board)
        if board.countsPages {
            return "\(text) in \(Amounts.time(seconds)), "
                + Self.pace(Double(board.loaded) / max(seconds, 0.001))
        }
        if board.notRun > 0 { text += ", \(board.notRun) not run" }
        text += " in " + Amounts.time(seconds)
        if board.bytes > 0 {
            text += ", " + Amounts.bytes(Double(board.bytes))
            text += " at " + Amounts.bytes(Double(board.bytes) / max(seconds, 0.001)) + "/s"
        }
        return text
    }

    private static func pace(_ rate: Double) -> String {
        "\(rate < 10 ? String(format: "%.1f", rate) : "\(Int(rate))") pages/s"
    }

    private func counts(_ board: RunBoard) -> String {
        if board.countsPages {
            let failed = board.failed > 0 ? ", \(board.failed) failed" : ""
            let pages = board.finished == 1 ? "page" : "pages"
            return "\(board.finished) \(pages) done, \(board.queued) queued\(failed)"
        }
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

    private func colored(_ text: String, isRed: Bool) -> String {
        canvas.hasColors ? "\u{1B}[\(isRed ? 31 : 32)m\(text)\u{1B}[0m" : text
    }
}
