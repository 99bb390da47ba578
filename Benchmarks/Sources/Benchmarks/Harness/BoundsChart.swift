/// How near each bound is: what was measured as a part of what is allowed.
struct BoundsChart {
    private let rows: [(name: String, finding: Finding, bound: Double)]
    private static let most = 1.5

    init(_ sections: [Results.Section]) {
        rows = sections.flatMap { section in
            section.findings.compactMap { finding in
                finding.bound.map { ("\(section.name): \(finding.name)", finding, $0) }
            }
        }
    }

    var svg: String {
        var drawing = Drawing(
            title: "bounds", description: "measured, as a part of the bound; shorter is better")
        drawing.legend([("ours", "holds"), ("missed", "missed"), ("bound", "bound")])
        for row in rows where row.bound > 0 {
            let part = row.finding.value / row.bound
            drawing.label(row.name)
            drawing.bar(
                min(part, Self.most) / Self.most, "\(short(part))", row.finding.holds ? "ours" : "missed",
                mark: 1 / Self.most)
        }
        return drawing.svg
    }
}
