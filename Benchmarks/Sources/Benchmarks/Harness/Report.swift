import Foundation

/// Prints a line at once, also where the output is a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Runs benchmarks, and prints what they find.
struct Report {
    private(set) var sections: [Results.Section] = []

    mutating func run(_ benchmark: any Benchmark.Type) throws {
        say("\n\(benchmark.name): \(benchmark.summary)")
        take(
            Results.Section(
                name: benchmark.name, summary: benchmark.summary, machine: Machine.description,
                findings: try benchmark.run()))
    }

    /// Prints what was found elsewhere.
    mutating func tell(_ section: Results.Section) {
        say("\n\(section.name): \(section.summary)")
        take(section)
    }

    private mutating func take(_ section: Results.Section) {
        sections.append(section)
        for finding in section.findings { say(line(finding)) }
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
