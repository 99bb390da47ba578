/// Figures of memory that stay in `results.json` from run to run, as what later ones are held against.
///
/// They stand in a section of their own. A name that has none yet keeps what is measured first; to keep another, take
/// it out of that section by hand.
enum Kept {
    static let section = "kept"
    private static let rival = "kept, bytes"

    /// The ratio to the kept figure that passes: the system gives memory by the page and the arena.
    private static let most = 1.05

    private static let figures: [String: Double] = {
        let sections = (try? Results(from: Results.file))?.sections ?? []
        let findings = sections.first { $0.name == section }?.findings ?? []
        return Dictionary(findings.map { ($0.name, $0.value) }) { first, _ in first }
    }()

    /// A figure of memory, in bytes, and how it stands to the one that is kept under its name.
    static func memory(
        _ name: String, _ bytes: Double, rival: String? = nil, rivalValue: Double? = nil
    ) -> [Finding] {
        let kept = figures[name] ?? bytes
        return [
            Finding(name, bytes, "bytes", rival: rival, rivalValue: rivalValue),
            Finding(
                "\(name), of what is kept", bytes / kept, "times", bound: most, rival: Self.rival,
                rivalValue: kept),
        ]
    }

    /// The section of kept figures, with those that are new.
    static func taking(_ sections: [Results.Section], into old: Results.Section?) -> Results.Section {
        let findings = sections.flatMap { section in
            section.findings.filter { $0.rival == rival }.compactMap { ratio in
                section.findings.first { ratio.name == "\($0.name), of what is kept" }
            }
        }
        let known = old?.findings ?? []
        let new = findings.filter { finding in !known.contains { $0.name == finding.name } }
        return Results.Section(
            name: section, summary: old?.summary ?? "the memory at the first measurement",
            machine: old?.machine ?? Machine.description,
            findings: known + new.map { Finding($0.name, $0.value, $0.unit) })
    }
}
