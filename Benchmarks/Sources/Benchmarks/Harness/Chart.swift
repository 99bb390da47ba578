/// A section as bars: ours, a rival's below it, and a mark where the bound is.
///
/// Each row that is held against something has a scale of its own, as rows of one section may measure different
/// things; the others share that of their unit, and are drawn only where nothing is held against anything.
struct Chart {
    private let section: Results.Section
    private let rows: [Finding]

    /// Nil where there is nothing to compare.
    init?(of section: Results.Section) {
        let held = section.findings.filter(\.isHeld)
        rows = held.isEmpty ? section.findings : held
        guard !held.isEmpty || rows.count > 2 else { return nil }
        self.section = section
    }

    var svg: String {
        var drawing = Drawing(title: section.name, description: section.summary)
        drawing.legend([("ours", "Stepline"), ("rival", "beside it"), ("bound", "bound")])
        for finding in rows { draw(finding, in: &drawing) }
        return drawing.svg
    }

    private func draw(_ finding: Finding, in drawing: inout Drawing) {
        let most = most(of: finding)
        let scale = most > 0 && most.isFinite ? 1 / most : 0
        drawing.label(finding.name)
        let holds = finding.holds ? "ours" : "missed"
        let measured = "\(short(finding.value)) \(finding.unit)"
        drawing.bar(finding.value * scale, measured, holds, mark: finding.bound.map { $0 * scale })
        if let (rival, value) = finding.comparable {
            drawing.bar(value * scale, "\(rival) \(short(value))", "rival")
        }
        if finding.isHeld { drawing.gap() }
    }

    /// The value at the full width.
    private func most(of finding: Finding) -> Double {
        let own = [finding.value, finding.comparable?.value, finding.bound]
        let others = rows.filter { !$0.isHeld && $0.unit == finding.unit }.map(\.value)
        return (finding.isHeld ? own.compactMap(\.self) : others).max() ?? 1
    }
}

extension Finding {
    fileprivate var isHeld: Bool { bound != nil || comparable != nil }

    /// The rival's name and figure, if that is measured in the same unit, which ends its name.
    fileprivate var comparable: (name: String, value: Double)? {
        guard let rival, let rivalValue, rival.hasSuffix(", \(unit)") else { return nil }
        return (String(rival.dropLast(unit.count + 2)), rivalValue)
    }
}
