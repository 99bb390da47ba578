import SteplineWorkflow

/// A workflow's report as one page: what went wrong, the graph, when things ran, and what took so long.
///
/// Loads nothing, has no script, and forbids both to whatever should ever get into it.
struct HTMLReport {
    static func draw(_ graph: WorkflowGraph) -> String {
        let report = HTMLReport(graph)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
            <meta name="generator" content="\(PictureFormat.mark)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <title>\(Escaping.xml(graph.name)): \(Escaping.xml(graph.statusText))</title>
            <style>
            \(GraphStyle.sheet)\(ReportStyle.sheet)</style>
            </head>
            <body>
            <svg class="shapes" aria-hidden="true">\(StateMarks.definitions)</svg>
            <main>
            \(report.sections.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    let graph: WorkflowGraph
    let rows: [ReportRow]
    let schedule: WorkflowSchedule?
    let first: AttemptRecord?

    /// Past so many rows a table says how many it leaves out.
    static let mostRows = 1000

    init(_ graph: WorkflowGraph) {
        self.graph = graph
        rows = ReportRow.all(graph)
        schedule = graph.measuredSchedule
        first = rows.lazy.flatMap(\.task.attempts).min { $0.beginTime < $1.beginTime }
    }

    private var sections: [String] {
        [header, failures, drawing, timeline, criticalPath, tasks, footer].filter { !$0.isEmpty }
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
        switch graph.status {
        case .idle: .ready
        case .running: .executing
        case .settled(.finished): .finished
        case .settled(.failed): .failed
        case .settled(.incomplete): .pending
        case .settled: .cancelled
        }
    }

    private var drawing: String {
        guard !graph.tasks.isEmpty else {
            return "<section><h2>Graph</h2><p>There are no tasks.</p></section>"
        }
        let drawing = GraphDrawing(graph)
        let isLarge = drawing.taskCount > LayoutMetrics.mostWithText
        let note =
            isLarge
            ? "<p class=\"quiet\">Of so many tasks only marks are drawn; rest on one for its name.</p>" : ""
        return """
            <section id="graph"><h2>Graph</h2>\(note)
            <div class="wide" tabindex="0">\(drawing.element(isPage: false))</div></section>
            """
    }

    private var timeline: String {
        guard let first else {
            let advice =
                "Set <code>keptAttempts</code> in the workflow’s options to see when tasks ran, and why so late."
            return graph.tasks.isEmpty
                ? ""
                : "<section id=\"timeline\"><h2>Timeline</h2><p class=\"quiet\">\(advice)</p></section>"
        }
        return ReportTimeline(rows, from: first.beginTime).section
    }

    private var footer: String {
        "<footer>Made by Stepline. Times are in UTC; waits count from the start of a task that nothing holds back.</footer>"
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
