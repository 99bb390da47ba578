import SteplineWorkflow

extension HTMLReport {
    var failures: String {
        let failed = rows.filter { $0.look == .failed }
        let blocked = rows.filter { $0.look == .blocked }
        let cancelled = rows.filter { $0.look == .cancelled }
        guard failed.count + blocked.count + cancelled.count > 0 else { return "" }
        var text = "<section id=\"failures\"><h2>What went wrong</h2>"
        for row in failed.prefix(Self.mostOpen) { text += failure(row) }
        let others = failed.dropFirst(Self.mostOpen).prefix(100)
        text += folded(failed.count, "failure", others.map(failure).joined())
        text += list("Blocked by that", blocked) { row in
            row.causes.isEmpty ? "" : " by \(Escaping.xml(row.causes.joined(separator: ", ")))"
        }
        text += list("Cancelled", cancelled) { _ in "" }
        return text + "</section>"
    }

    /// The notes on tasks, such as why a task did nothing.
    var notes: String {
        let noted = rows.filter { $0.task.note != nil }
        guard !noted.isEmpty else { return "" }
        let names = list("Tasks with notes", noted) { ": " + Escaping.xml($0.task.note ?? "") }
        return "<section id=\"notes\"><h2>Notes</h2>\(names)</section>"
    }

    private func failure(_ row: ReportRow) -> String {
        let chain = ErrorChain.texts(of: row.task.error)
        var text = "<article class=\"failure\">"
        text += "<h3>\(StateMarks.inline(.failed)) \(name(row.name))"
        if row.task.attempt > 1 { text += " <span class=\"quiet\">after \(row.task.attempt) attempts</span>" }
        text += "</h3><p class=\"error\">\(Escaping.xml(chain[0]))</p>"
        for cause in chain.dropFirst() { text += "<p class=\"cause\">caused by: \(Escaping.xml(cause))</p>" }
        let earlier = row.task.attempts.dropLast()
        if !earlier.isEmpty {
            text += "<details><summary>\(TimeText.count(earlier.count, "earlier attempt"))</summary><ol>"
            for attempt in earlier {
                let why = attempt.error.map { ErrorChain.texts(of: $0)[0] } ?? attempt.ending.description
                text += "<li value=\"\(attempt.number)\">\(Escaping.xml(why))</li>"
            }
            text += "</ol></details>"
        }
        return text + "</article>"
    }

    private func list(_ title: String, _ rows: [ReportRow], _ more: (ReportRow) -> String) -> String {
        guard let first = rows.first else { return "" }
        let items = rows.prefix(100 + Self.mostOpen).map {
            "<li>\(name($0.name))<span class=\"quiet\">\(more($0))</span></li>"
        }
        let others = items.dropFirst(Self.mostOpen).joined()
        return "<h3>\(StateMarks.inline(first.look)) \(title)</h3>"
            + "<ul class=\"names\">\(items.prefix(Self.mostOpen).joined())</ul>"
            + folded(rows.count, "task", "<ul class=\"names\">\(others)</ul>")
    }

    /// The maximum number of failures, or of tasks that didn't run, to show unfolded.
    private static let mostOpen = 10

    private func folded(_ count: Int, _ noun: String, _ text: String) -> String {
        guard count > Self.mostOpen else { return "" }
        let others = TimeText.count(count - Self.mostOpen, "more \(noun)")
        return "<details class=\"more\"><summary>\(others)</summary>\(text)"
            + rest(count, 100 + Self.mostOpen) + "</details>"
    }

    var criticalPath: String {
        guard let schedule, !schedule.path.isEmpty else { return "" }
        let idle = schedule.idleTime(in: graph)
        let isWhole = determinesLength(schedule, idle)
        var text = "<section id=\"critical-path\"><h2>Critical path</h2>"
        text +=
            "<p class=\"quiet\">Each of these began once the one before had ended\(meaning(isWhole, idle))</p>"
        text += head(["Task", "Began at", "Waited", "Took"] + (isWhole ? ["Share"] : []))
        for index in schedule.path.prefix(Self.mostRows) {
            guard let span = schedule.spans[index] else { continue }
            let task = graph.tasks[index]
            let waits = task.attempts.flatMap(\.waits)
            text += "<tr>\(labelled(task.name, StateMarks.inline(TaskLook(task))))"
            text += number(TimeText.of(span.begin))
            text += number(waited(waits))
            let body = task.attempts.last.map { $0.endTime - $0.beginTime } ?? 0
            text += number(TimeText.of(body))
            if isWhole {
                let share = TimeText.share(span.end - span.begin, of: schedule.length.nanoseconds)
                text += number(Escaping.xml(share))
            }
            text += "</tr>"
        }
        return text + "</tbody></table></div>" + rest(schedule.path.count, Self.mostRows) + "</section>"
    }

    /// Returns whether the critical path alone determined the length of the run; false if unknown.
    ///
    /// A span contains the task's wait for a pool. If such waits matter, a task's share of the run would be
    /// meaningless.
    private func determinesLength(_ schedule: WorkflowSchedule, _ idle: Int64?) -> Bool {
        // Up to a twentieth is normal variation.
        return idle.map { $0 <= schedule.length.nanoseconds / 20 } ?? false
    }

    /// Returns the explanation of the critical path.
    private func meaning(_ isWhole: Bool, _ idle: Int64?) -> String {
        if isWhole {
            return ": together they determined how long it took. "
                + "Only what makes one of them shorter makes the whole shorter."
        }
        guard let idle else { return "." }
        return
            ". For \(TimeText.of(idle)) none of them was at work: what they waited for, such as a limit, a pool or a "
            + "worker, bound the run as well."
    }

    // MARK: Cells

    /// Formats how long an attempt waited, and the main cause.
    private func waited(_ waits: [AttemptRecord.Wait]) -> String {
        guard let longest = waits.max(by: { $0.duration < $1.duration }) else { return "–" }
        let whole = waits.reduce(Int64(0)) { $0.plus($1.duration.nanoseconds) }
        // Up to a millisecond is the usual time to get a thread.
        if whole < 1_000_000, longest.cause == .thread { return TimeText.of(whole) }
        return
            "\(TimeText.of(whole)) <span class=\"quiet\">for \(Escaping.xml(longest.cause.description))</span>"
    }

    private func name(_ name: String) -> String { "<bdi class=\"name\">\(Escaping.xml(name))</bdi>" }

    /// Returns a table cell with a name, which wraps next to the text before it.
    private func labelled(_ label: String, _ before: String) -> String {
        "<td class=\"task\"><div>\(before) \(name(label))</div></td>"
    }

    private func number(_ text: String) -> String { "<td class=\"number\">\(text)</td>" }

    private func head(_ titles: [String]) -> String {
        let cells = titles.enumerated().map { place, title in
            "<th scope=\"col\"\(place == 0 ? "" : " class=\"number\"")>\(title)</th>"
        }
        return "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>\(cells.joined())</tr></thead><tbody>"
    }

    private func rest(_ count: Int, _ shown: Int) -> String {
        count > shown ? "<p class=\"quiet\">… and \(count - shown) more.</p>" : ""
    }
}
