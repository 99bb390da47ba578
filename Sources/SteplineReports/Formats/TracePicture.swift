import SteplineWorkflow

/// Draws a workflow's attempts as trace events, for Perfetto and Chrome.
///
/// Each workflow is a process of the trace, and so is each worker's part of a workflow. A bar is an attempt, in the
/// first free lane. Arrows lead from the end of a prerequisite to the start of its dependent.
struct TracePicture {
    static func draw(_ graph: WorkflowGraph) -> String {
        var picture = TracePicture()
        picture.origin = Self.origin(of: graph) ?? 0
        picture.draw(graph, title: graph.name)
        return """
            {"displayTimeUnit":"ms","otherData":{"comment":"\(PictureFormat.mark)"},"traceEvents":[
            \(picture.text)
            ]}

            """
    }

    private struct Bar {
        let process: Int
        let lane: Int
        let begin: Int64
        let end: Int64
    }

    private var text = ""
    private var origin: Int64 = 0
    private var processes = 0
    private var arrows = 0

    private static func origin(of graph: WorkflowGraph) -> Int64? {
        graph.tasks.compactMap { task in
            let own = task.attempts.first?.beginTime
            let inner = task.inside.flatMap { origin(of: $0) }
            return [own, inner].compactMap { $0 }.min()
        }.min()
    }

    private mutating func event(_ fields: String) {
        if !text.isEmpty { text += ",\n" }
        text += "{\(fields)}"
    }

    private mutating func draw(_ graph: WorkflowGraph, title: String) {
        let bars = drawBars(graph, title)
        for edge in graph.edges {
            guard let from = bars[edge.prerequisite]?.last,
                let to = bars[edge.dependent]?.first(where: { $0.begin >= from.end })
            else { continue }
            drawArrow(from, to, edge)
        }
        for task in graph.tasks {
            if let inside = task.inside { draw(inside, title: "\(title) › \(task.name)") }
        }
    }

    /// Starts a process, and returns its number.
    private mutating func addProcess(_ title: String) -> Int {
        processes += 1
        event(
            "\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\(processes),\"tid\":0,"
                + "\"args\":{\"name\":\"\(Escaping.json(title))\"}"
        )
        return processes
    }

    private mutating func drawBars(_ graph: WorkflowGraph, _ title: String) -> [Int: [Bar]] {
        var attempts: [(task: Int, record: AttemptRecord)] = []
        for (index, task) in graph.tasks.enumerated() {
            attempts += task.attempts.map { (index, $0) }
        }
        attempts.sort { left, right in
            (left.record.beginTime, left.task, left.record.number)
                < (right.record.beginTime, right.task, right.record.number)
        }
        let own = addProcess(title)
        var ofWorkers: [String: Int] = [:]
        for worker in Set(attempts.compactMap(\.record.worker)).sorted() {
            ofWorkers[worker] = addProcess("\(title) on \(worker)")
        }
        var lanes = [own: LanePacking()]
        var bars: [Int: [Bar]] = [:]
        for (task, record) in attempts {
            let process = record.worker.flatMap { ofWorkers[$0] } ?? own
            let lane = lanes[process, default: LanePacking()].place(
                from: record.beginTime.minus(origin), to: record.endTime.minus(origin))
            let bar = Bar(process: process, lane: lane, begin: record.beginTime, end: record.endTime)
            bars[task, default: []].append(bar)
            draw(record, graph.tasks[task], bar)
        }
        for (process, packing) in lanes.sorted(by: { $0.key < $1.key }) {
            for lane in 1...max(1, packing.count) {
                event(
                    "\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":\(process),\"tid\":\(lane),"
                        + "\"args\":{\"name\":\"lane \(lane)\"}"
                )
            }
        }
        return bars
    }

    private mutating func draw(_ record: AttemptRecord, _ task: WorkflowGraph.Task, _ bar: Bar) {
        var arguments =
            "\"task\":\"\(task.id)\",\"attempt\":\(record.number),\"outcome\":\"\(record.ending)\""
        for wait in record.waits {
            let cause = Escaping.json("waited for \(wait.cause)")
            arguments += ",\"\(cause)\":\"\(TimeText.of(wait.duration.nanoseconds))\""
        }
        if let note = task.note { arguments += ",\"note\":\"\(Escaping.json(note))\"" }
        if record.ending == .failed || record.ending == .retried {
            arguments +=
                ",\"error\":\"\(Escaping.json(ErrorChain.texts(of: record.error).joined(separator: " ← ")))\""
        }
        let color =
            switch TaskLook(record.ending) {
            case .finished: "good"
            case .failed: "terrible"
            case .cancelled: "grey"
            default: "thread_state_running"
            }
        event(
            "\"ph\":\"X\",\"name\":\"\(Escaping.json(task.name))\",\"cat\":\"\(record.ending.rawValue)\","
                + "\"pid\":\(bar.process),\"tid\":\(bar.lane),\"ts\":\(time(bar.begin)),"
                + "\"dur\":\(micros(bar.end - bar.begin)),\"cname\":\"\(color)\",\"args\":{\(arguments)}"
        )
    }

    private mutating func drawArrow(_ from: Bar, _ to: Bar, _ edge: WorkflowGraph.Edge) {
        arrows += 1
        let name = edge.keys.isEmpty ? "prerequisite" : edge.keys.joined(separator: ", ")
        let common = "\"name\":\"\(Escaping.json(name))\",\"cat\":\"prerequisite\",\"id\":\(arrows)"
        // An arrow binds to the bar that is open at its time, so it must start before the end.
        let leaves = max(from.begin, from.end - 1)
        event("\"ph\":\"s\",\(common),\"pid\":\(from.process),\"tid\":\(from.lane),\"ts\":\(time(leaves))")
        event(
            "\"ph\":\"f\",\"bp\":\"e\",\(common),\"pid\":\(to.process),\"tid\":\(to.lane),\"ts\":\(time(to.begin))"
        )
    }

    private func time(_ nanoseconds: Int64) -> String { micros(nanoseconds - origin) }

    /// Formats a time in microseconds, the unit of the format, with three decimals.
    private func micros(_ nanoseconds: Int64) -> String {
        let value = max(0, nanoseconds)
        let rest = String(value % 1000)
        return "\(value / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
