import Foundation

/// Prints a line at once, also where the output is a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Runs benchmarks, and prints what they find.
struct Report {
    private(set) var sections: [Results.Section] = []

    mutating func add(_ benchmark: any Benchmark.Type) throws {
        say("\n\(benchmark.name): \(benchmark.summary)")
        let findings = try benchmark.run()
        sections.append(
            Results.Section(
                name: benchmark.name, summary: benchmark.summary, machine: Machine.description,
                findings: findings))
        for finding in findings { say(line(finding)) }
    }

    var allHold: Bool { sections.allSatisfy { $0.findings.allSatisfy(\.holds) } }

    private func line(_ finding: Finding) -> String {
        let verdict = finding.bound == nil ? "" : finding.holds ? "holds" : "MISSED"
        return [
            pad(finding.name, 46), pad("\(short(finding.value)) \(finding.unit)", 20),
            pad(finding.limit, 16), pad(verdict, 8), finding.besideIt,
        ].joined(separator: " ")
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
}
