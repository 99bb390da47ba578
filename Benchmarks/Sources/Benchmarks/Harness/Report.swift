import Foundation

/// Prints a line at once, also where the output is a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Prints findings as a table, and keeps them in `results.json`.
struct Report {
    private var findings: [Finding] = []

    mutating func add(_ new: [Finding]) {
        findings += new
        for finding in new { say(line(finding)) }
    }

    var allHold: Bool { findings.allSatisfy(\.holds) }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(findings).write(to: file)
    }

    private func line(_ finding: Finding) -> String {
        let bound = finding.bound.map { "at most \(short($0))" } ?? ""
        let rival = finding.rival.map { "\($0): \(finding.rivalValue.map(short) ?? "")" } ?? ""
        let verdict = finding.bound == nil ? "" : finding.holds ? "holds" : "MISSED"
        return [
            pad(finding.name, 46), pad("\(short(finding.value)) \(finding.unit)", 20), pad(bound, 16),
            pad(verdict, 8), rival,
        ].joined(separator: " ")
    }

    private func short(_ value: Double) -> String {
        value >= 100 ? String(format: "%.0f", value) : String(format: "%.3g", value)
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
}
