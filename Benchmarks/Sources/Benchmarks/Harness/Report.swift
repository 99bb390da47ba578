import Foundation

/// Prints a line at once, also where the output is a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Prints findings as a table, and keeps them in `results.json` and in the README.
struct Report {
    private struct Section {
        let name: String
        let summary: String
        let findings: [Finding]
    }

    private var sections: [Section] = []

    private var findings: [Finding] { sections.flatMap(\.findings) }

    mutating func add(_ benchmark: any Benchmark.Type) throws {
        say("\n\(benchmark.name): \(benchmark.summary)")
        let findings = try benchmark.run()
        sections.append(Section(name: benchmark.name, summary: benchmark.summary, findings: findings))
        for finding in findings { say(line(finding)) }
    }

    var allHold: Bool { findings.allSatisfy(\.holds) }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(findings).write(to: file)
    }

    /// Puts the tables, and the machine they were measured on, between the marks of a page.
    func writeTables(into page: URL) throws {
        let (start, end) = ("<!-- tables -->\n", "<!-- end of tables -->")
        let text = try String(contentsOf: page, encoding: .utf8)
        guard let from = text.range(of: start), let to = text.range(of: end) else { return }
        let tables = sections.map(table).joined(separator: "\n")
        let machine = "Measured on \(Machine.description).\n\n"
        try (text[..<from.upperBound] + machine + tables + text[to.lowerBound...])
            .write(to: page, atomically: true, encoding: .utf8)
    }

    private func table(_ section: Section) -> String {
        let rows = section.findings.map { finding in
            [
                finding.name, "\(short(finding.value)) \(finding.unit)", limit(finding),
                finding.bound == nil ? "" : finding.holds ? "yes" : "**no**", rival(finding),
            ].joined(separator: " | ")
        }
        return """
            ### \(section.name)

            \(section.summary)

            | what | measured | bound | holds | beside it |
            |---|---|---|---|---|
            \(rows.map { "| \($0) |" }.joined(separator: "\n"))

            """
    }

    private func line(_ finding: Finding) -> String {
        let verdict = finding.bound == nil ? "" : finding.holds ? "holds" : "MISSED"
        return [
            pad(finding.name, 46), pad("\(short(finding.value)) \(finding.unit)", 20),
            pad(limit(finding), 16), pad(verdict, 8), rival(finding),
        ].joined(separator: " ")
    }

    private func limit(_ finding: Finding) -> String {
        finding.bound.map { "at most \(short($0))" } ?? ""
    }

    private func rival(_ finding: Finding) -> String {
        finding.rival.map { "\($0): \(finding.rivalValue.map(short) ?? "")" } ?? ""
    }

    private func short(_ value: Double) -> String {
        value >= 100 ? String(format: "%.0f", value) : String(format: "%.3g", value)
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
}
