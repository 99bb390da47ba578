extension HTMLReport {
    /// The table of workers, with a lane for each; empty if no worker ran a body.
    var workers: String {
        guard let all = WorkerShares(graph) else { return "" }
        var text = "<section id=\"workers\"><h2>Workers</h2>"
        text += head(["Worker", "Attempts", "Work", "At once, on average", "When it was busy"])
        for share in all.shares.prefix(Self.mostRows) {
            let failed = share.failures > 0 ? " <span class=\"quiet\">\(share.failures) failed</span>" : ""
            let busy = share.busy.reduce(Int64(0)) { $0 + $1.upperBound - $1.lowerBound }
            let atOnce = busy > 0 ? TimeText.fixed(Double(share.work) / Double(busy), 1) : "–"
            text += "<tr>\(labelled(share.worker, ""))\(number("\(share.attempts)\(failed)"))"
            text += number(TimeText.of(share.work)) + number(atOnce)
            text += "<td class=\"lane\">\(lane(all.lanes(of: share, width: Self.width)))</td></tr>"
        }
        return text + "</tbody></table></div>" + rest(all.shares.count, Self.mostRows) + "</section>"
    }

    /// The width of a lane in units of its drawing.
    private static let width: Int64 = 600

    private func lane(_ ranges: [Range<Int64>]) -> String {
        let bars = ranges.map { "M\($0.lowerBound) 0h\($0.upperBound - $0.lowerBound)v10H\($0.lowerBound)z" }
        return "<svg viewBox=\"0 0 \(Self.width) 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            + "<path d=\"\(bars.joined())\"/></svg>"
    }
}
