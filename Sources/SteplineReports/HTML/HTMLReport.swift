import Foundation
import SteplineWorkflow

/// A workflow's report as one page: what went wrong, the graph, all tasks with their timeline, and what took so long.
///
/// Loads nothing. Its one script shows the tasks, of which there may be many; the page's policy forbids every other,
/// and all requests. Without scripts the rest stays readable.
struct HTMLReport {
    static func draw(_ graph: WorkflowGraph) -> String {
        let report = HTMLReport(graph)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
            <meta name="generator" content="\(PictureFormat.mark)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <title>\(Escaping.xml(graph.name)): \(Escaping.xml(graph.statusText))</title>
            <style>
            \(GraphStyle.sheet)\(ReportPage.style)</style>
            </head>
            <body>
            <svg class="shapes" aria-hidden="true">\(StateMarks.definitions)</svg>
            <main>
            \(report.sections.joined(separator: "\n"))
            </main>
            \(report.hasTasks ? report.scripts : "")</body>
            </html>

            """
    }

    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(ReportPage.scriptHash)'"

    let graph: WorkflowGraph
    let rows: [ReportRow]
    let schedule: WorkflowSchedule?
    let first: AttemptRecord?

    /// A graph of more tasks is drawn below their list.
    private static let mostAtTop = 60

    /// A graph of more tasks isn't drawn, since browsers are slow to show it.
    private static let mostDrawn = 2_000

    /// Past so many rows a table says how many it leaves out.
    static let mostRows = 200

    init(_ graph: WorkflowGraph) {
        self.graph = graph
        rows = ReportRow.all(graph)
        schedule = graph.measuredSchedule
        first = rows.lazy.flatMap(\.task.attempts).min { $0.beginTime < $1.beginTime }
    }

    private var hasTasks: Bool { !rows.isEmpty }

    private var sections: [String] {
        // A drawing that fills pages comes last.
        let parts =
            rows.count <= Self.mostAtTop
            ? [header, failures, notes, drawing, tasks, criticalPath, footer]
            : [header, failures, notes, tasks, criticalPath, drawing, footer]
        return parts.filter { !$0.isEmpty }
    }

    /// The data, which browsers don't execute, and the script, which is the same in every report.
    private var scripts: String {
        // Times in the page start at the first wait, which may precede the first body.
        let starts = rows.lazy.compactMap(\.task.attempts.first).map { $0.beginTime.minus($0.waitTime) }
        let zero = starts.min() ?? 0
        let began = first.map { $0.begin.addingTimeInterval(-Double($0.beginTime.minus(zero)) / 1e9) }
        let data = ReportData(rows, zero: zero, began: began)
        return """
            <script type="application/json" id="run-data">
            \(data.text)
            </script>
            <script>\(ReportPage.script)</script>

            """
    }

    // MARK: Parts

    private var header: String {
        let look = statusLook
        var figures = [("Tasks", "\(rows.count)")]
        for state in TaskLook.allCases {
            let count = rows.lazy.filter { $0.look == state }.count
            if count > 0, count < rows.count || state != .finished {
                figures.append((state.word, "\(count)"))
            }
        }
        if let schedule {
            figures.append(("Took", TimeText.of(schedule.length.nanoseconds)))
            let busy = rows.lazy.filter { $0.task.inside == nil }.reduce(Int64(0)) { $0 + $1.took }
            figures.append(("Work", TimeText.of(busy)))
            if schedule.length.nanoseconds > 0 {
                let atOnce = Double(busy) / Double(schedule.length.nanoseconds)
                figures.append(("At once, on average", TimeText.fixed(atOnce, 1)))
            }
        }
        let list = figures.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined()
        let began = first.map { " · began \(TimeText.date($0.begin))" } ?? ""
        return """
            <header>
            <h1><bdi>\(Escaping.xml(graph.name))</bdi></h1>
            <p class="status \(look.rawValue)">\(StateMarks.inline(look)) \
            <span>\(Escaping.xml(graph.statusText.capitalizedFirst))</span><span class="quiet">\(began)</span></p>
            <dl class="figures">\(list)</dl>
            </header>
            """
    }

    private var statusLook: TaskLook {
        switch graph.ending {
        case nil: graph.isRunning ? .executing : .ready
        case .finished: .finished
        case .failed: .failed
        case .incomplete: .pending
        case .cancelled, .deadlineExceeded: .cancelled
        }
    }

    private var drawing: String {
        guard hasTasks else {
            return "<section><h2>Graph</h2><p>There are no tasks.</p></section>"
        }
        if rows.count > Self.mostDrawn {
            return "<section id=\"graph\"><h2>Graph</h2><p>The page draws at most \(Self.mostDrawn) tasks. "
                + "Draw the workflow as <code>svg</code> or <code>dot</code> to see all of them.</p></section>"
        }
        return """
            <section id="graph"><h2>Graph</h2>
            <div class="wide" tabindex="0">\(GraphDrawing(graph).element(isPage: false))</div></section>
            """
    }

    private var footer: String {
        "<footer>Made by Stepline. Times are in UTC; waits count from the start of a task that nothing holds back.</footer>"
    }
}

extension AttemptRecord {
    /// The total wait in nanoseconds.
    fileprivate var waitTime: Int64 { waits.reduce(Int64(0)) { $0.plus($1.duration.nanoseconds) } }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
