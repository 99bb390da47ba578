import Foundation

/// The page of tables and charts, and the charts beside it.
struct Page {
    let folder: URL

    private static let marks = ("<!-- tables -->\n", "<!-- end of tables -->")

    /// Writes a table and a chart for each section, and a chart of how near each bound is.
    func write(_ results: Results) throws {
        let charts = folder.appending(path: "charts")
        try? FileManager.default.removeItem(at: charts)
        try FileManager.default.createDirectory(at: charts, withIntermediateDirectories: true)
        for section in results.sections {
            guard let chart = Chart(of: section) else { continue }
            try chart.svg.write(
                to: charts.appending(path: "\(section.name).svg"), atomically: true, encoding: .utf8)
        }
        try BoundsChart(results.sections).svg
            .write(to: charts.appending(path: "bounds.svg"), atomically: true, encoding: .utf8)
        try writeTables(results.sections)
    }

    private func writeTables(_ sections: [Results.Section]) throws {
        let page = folder.appending(path: "README.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        guard let from = text.range(of: Self.marks.0), let to = text.range(of: Self.marks.1) else { return }
        let machines = Set(sections.map(\.machine))
        let tables = sections.map { table($0, tellsMachine: machines.count > 1) }.joined(separator: "\n")
        let machine = machines.count == 1 ? "Measured on \(machines.first ?? "").\n\n" : ""
        try (text[..<from.upperBound] + machine + tables + text[to.lowerBound...])
            .write(to: page, atomically: true, encoding: .utf8)
    }

    private func table(_ section: Results.Section, tellsMachine: Bool) -> String {
        let rows = section.findings.map { finding in
            [
                finding.name, "\(short(finding.value)) \(finding.unit)", finding.limit,
                finding.bound == nil ? "" : finding.holds ? "yes" : "**no**", finding.besideIt,
            ].joined(separator: " | ")
        }
        let picture = Chart(of: section) == nil ? "" : "![\(section.name)](charts/\(section.name).svg)\n\n"
        return """
            ### \(section.name)

            \(section.summary)\(tellsMachine ? "; on \(section.machine)" : "")

            \(picture)| what | measured | bound | holds | beside it |
            |---|---|---|---|---|
            \(rows.map { "| \($0) |" }.joined(separator: "\n"))

            """
    }
}
