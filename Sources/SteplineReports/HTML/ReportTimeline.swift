import SteplineWorkflow

/// The attempts as bars over time, a line for each task, with what they waited for before.
struct ReportTimeline {
    private(set) var section = ""

    private static let mostRows = 300
    private static let labels = 230.0
    private static let bars = 720.0
    private static let tail = 90.0
    private static let line = 24.0
    private static let top = 30.0

    private let begin: Int64
    private let length: Int64

    init(_ all: [ReportRow], from begin: Int64) {
        let ran = all.filter { !$0.task.attempts.isEmpty }
        let end = ran.compactMap { $0.task.attempts.last?.endTime }.max() ?? begin
        // Waits may reach back to before the first body.
        let start = ran.compactMap { row in row.task.attempts.first.map { $0.beginTime - $0.waitTime } }.min()
        self.begin = min(begin, start ?? begin)
        length = max(1, end - self.begin)

        let rows = Self.chosen(ran)
        let height = Self.top + Double(rows.count) * Self.line + 10
        let width = Self.labels + Self.bars + Self.tail
        var text = "<section id=\"timeline\"><h2>Timeline</h2>"
        if rows.count < ran.count {
            text +=
                "<p class=\"quiet\">The critical path and the longest of the others: \(rows.count) of "
                + "\(ran.count) tasks that ran.</p>"
        }
        text +=
            "<div class=\"wide\" tabindex=\"0\"><svg class=\"timeline\" role=\"img\" "
            + "viewBox=\"0 0 \(TimeText.coordinate(width)) \(TimeText.coordinate(height))\">"
            + "<title>When each task ran</title>"
            + "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
            + "patternTransform=\"rotate(45)\"><rect class=\"hatch-ground\" width=\"5\" height=\"5\"/>"
            + "<path class=\"hatch-line\" d=\"M0 0V5\"/></pattern></defs>\n"
        section =
            text + axis(height) + rows.enumerated().map { draw($1, $0) }.joined() + "</svg></div>\n"
            + "<p class=\"quiet key\"><span class=\"sample bar\"></span> body "
            + "<span class=\"sample wait\"></span> wait <span class=\"sample critical\">◆</span> critical path</p>"
            + "</section>"
    }

    /// All rows, or those that tell most, in order of their begin.
    private static func chosen(_ rows: [ReportRow]) -> [ReportRow] {
        var chosen = rows
        if rows.count > mostRows {
            let ranked = rows.enumerated().sorted { left, right in
                let critical = (left.element.isCritical ? 0 : 1, right.element.isCritical ? 0 : 1)
                return (critical.0, -left.element.took, left.offset)
                    < (critical.1, -right.element.took, right.offset)
            }
            chosen = ranked.prefix(mostRows).sorted { $0.offset < $1.offset }.map(\.element)
        }
        return chosen.enumerated().sorted { left, right in
            let begins = (left.element.task.attempts[0].beginTime, right.element.task.attempts[0].beginTime)
            return (begins.0, left.offset) < (begins.1, right.offset)
        }.map(\.element)
    }

    private func x(_ time: Int64) -> Double {
        Self.labels + Double(time - begin) / Double(length) * Self.bars
    }

    private func n(_ value: Double) -> String { TimeText.coordinate(value) }

    /// Lines at round times, four to eight of them.
    private func axis(_ height: Double) -> String {
        var step: Int64 = 1
        scale: while true {
            for factor: Int64 in [1, 2, 5] where length / (step * factor) <= 8 {
                step *= factor
                break scale
            }
            step *= 10
        }
        var text = ""
        var time: Int64 = 0
        while time <= length {
            let x = n(x(begin + time))
            text += "<path class=\"grid\" d=\"M\(x) \(n(Self.top - 6))V\(n(height))\"/>"
            text += "<text class=\"tick\" text-anchor=\"middle\" x=\"\(x)\" y=\"14\">"
            text += "\(time == 0 ? "0" : TimeText.round(time))</text>"
            time += step
        }
        return text + "\n"
    }

    private func draw(_ row: ReportRow, _ number: Int) -> String {
        let y = Self.top + Double(number) * Self.line
        var text =
            "<g class=\"row\(row.isCritical ? " critical" : "")\"><title>\(Escaping.xml(tip(row)))</title>"
        if number % 2 == 0 {
            text +=
                "<rect class=\"stripe\" x=\"0\" y=\"\(n(y))\" width=\"\(n(Self.labels + Self.bars + Self.tail))\" "
            text += "height=\"\(n(Self.line))\"/>"
        }
        let label = (row.isCritical ? "◆ " : "") + LayoutMetrics.shortened(row.name)
        text += "<text class=\"label\" text-anchor=\"end\" x=\"\(n(Self.labels - 12))\" y=\"\(n(y + 16))\">"
        text += "\(Escaping.xml(label))</text>"
        for attempt in row.task.attempts { text += bar(attempt, y) }
        if let last = row.task.attempts.last {
            let end = max(x(last.endTime), x(last.beginTime) + 3)
            text += StateMarks.use(TaskLook(last.ending), x: end + 6, y: y + 6, scale: 0.67)
            text += "<text class=\"took\" x=\"\(n(end + 22))\" y=\"\(n(y + 16))\">"
            text += "\(TimeText.of(last.endTime - last.beginTime))</text>"
        }
        return text + "</g>\n"
    }

    private func bar(_ attempt: AttemptRecord, _ y: Double) -> String {
        var text = ""
        let from = x(attempt.beginTime)
        let waited = x(attempt.beginTime - attempt.waitTime)
        if from - waited >= 1 {
            text += "<path class=\"wait\" d=\"M\(n(waited)) \(n(y + 12))H\(n(from))\"/>"
        }
        let look = TaskLook(attempt.ending)
        let width = n(max(3, x(attempt.endTime) - from))
        text += "<rect class=\"bar \(look.rawValue)\" x=\"\(n(from))\" y=\"\(n(y + 6))\" "
        return text + "width=\"\(width)\" height=\"12\" rx=\"3\"/>"
    }

    private func tip(_ row: ReportRow) -> String {
        var lines = [row.name]
        for attempt in row.task.attempts {
            let took = TimeText.of(attempt.endTime - attempt.beginTime)
            lines.append("attempt \(attempt.number): \(attempt.ending), \(took)")
            for wait in attempt.waits {
                lines.append("  waited \(TimeText.of(wait.duration.nanoseconds)) for \(wait.cause)")
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension AttemptRecord {
    /// How long it waited, in nanoseconds.
    fileprivate var waitTime: Int64 { waits.reduce(0) { $0 + $1.duration.nanoseconds } }
}
