import Foundation

/// Another revision's figures beside ours, measured in turns by `Benchmarks/compare`.
struct Comparison {
    static let section = "compared"

    private let revision: String
    private let bound: Double?
    private let old: [Results]
    private let new: [Results]

    /// Takes the revision's name, the bound or `-`, and the folder with `old-….json` and `new-….json` of each round.
    init(_ arguments: [String]) throws {
        guard arguments.count == 3 else { throw ChildFailed(task: "--compare") }
        revision = arguments[0]
        bound = Double(arguments[1])
        let folder = URL(filePath: arguments[2])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        func results(_ prefix: String) throws -> [Results] {
            try names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }
                .map { try Results(from: folder.appending(path: $0)) }
        }
        (old, new) = (try results("old-"), try results("new-"))
    }

    /// The section that is printed, and published on request.
    var section: Results.Section {
        Results.Section(
            name: Self.section,
            summary: "as times of \(revision)'s figures, built beside it and run in turns",
            machine: Machine.description, findings: findings)
    }

    /// A finding for each figure that both revisions have measured.
    private var findings: [Finding] {
        var seen: Set<String> = []
        return new.flatMap(\.sections).filter { $0.name != Kept.section && seen.insert($0.name).inserted }
            .flatMap { section in section.findings.compactMap { self.finding(section.name, $0) } }
    }

    private func finding(_ section: String, _ own: Finding) -> Finding? {
        guard Finding.amounts.contains(own.unit) else { return nil }
        let (ours, theirs) = (values(new, section, own), values(old, section, own))
        guard !ours.isEmpty, ours.count == theirs.count else { return nil }
        return Finding(
            "\(section), \(own.name)", median(zip(ours, theirs).map { $0 / $1 }), "times", bound: bound,
            rival: "\(short(median(ours))) \(own.unit); \(revision), \(own.unit)", rivalValue: median(theirs))
    }

    private func values(_ results: [Results], _ section: String, _ finding: Finding) -> [Double] {
        results.compactMap { round in
            round.sections.first { $0.name == section }?.findings
                .first { $0.name == finding.name && $0.unit == finding.unit }?.value
        }
    }
}
