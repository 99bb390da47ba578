/// A column of labelled bars as SVG, readable on light and dark pages.
struct Drawing {
    private static let width = 820.0
    private static let labels = 380.0
    private static let bars = 280.0
    private static let line = 16.0

    private let title: String
    private let description: String
    private var elements: [String] = []
    private var y = 62.0

    init(title: String, description: String) {
        self.title = title
        self.description = description
    }

    /// Draws the legend of the colours, below the title.
    mutating func legend(_ entries: [(style: String, text: String)]) {
        var x = 12.0
        for (style, text) in entries {
            elements.append(box(style == "bound" ? x + 8 : x, 38, style == "bound" ? 2 : 10, 10, style))
            elements.append(self.text(x + 15, 47, text, "note"))
            x += 15 + Double(text.count) * 6 + 18
        }
    }

    /// The name of the bar that follows.
    mutating func label(_ name: String) {
        elements.append(text(Self.labels - 8, y + 11, shortened(name), "label", end: true))
    }

    /// A bar, whose length is a part of the widest, with a text behind it.
    mutating func bar(_ part: Double, _ note: String, _ style: String, mark: Double? = nil) {
        let length = max(1, part * Self.bars)
        elements.append(box(Self.labels, y, length, Self.line - 4, style))
        var textX = Self.labels + length
        if let mark {
            let x = Self.labels + mark * Self.bars
            elements.append(box(x - 1, y - 2, 2, Self.line, "bound"))
            if x > textX, x - textX < 150 { textX = x }
        }
        elements.append(text(textX + 6, y + 10, note, "note"))
        y += Self.line
    }

    mutating func gap() { y += 8 }

    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 \(number(Self.width)) \(number(y + 10))" \
        font-family="system-ui, sans-serif" font-size="11">
        <title>\(escaped(title))</title>
        <desc>\(escaped(description))</desc>
        <style>
        .page { fill: #ffffff } .head { fill: #1f2328; font-weight: 600; font-size: 13px } .label { fill: #1f2328 }
        .note { fill: #59636e } .ours { fill: #e8590c } .rival { fill: #adb5bd } .bound { fill: #1f2328 }
        .missed { fill: #c92a2a }
        @media (prefers-color-scheme: dark) {
        .page { fill: #0d1117 } .head, .label { fill: #f0f6fc } .note { fill: #9198a1 } .ours { fill: #ff922b }
        .rival { fill: #495057 } .bound { fill: #f0f6fc } .missed { fill: #ff6b6b }
        }
        </style>
        <rect class="page" width="100%" height="100%"/>
        \(text(12, 22, "\(title): \(description)", "head"))
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) -> String {
        "<rect class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\" "
            + "width=\"\(number(width))\" height=\"\(number(height))\"/>"
    }

    private func text(_ x: Double, _ y: Double, _ text: String, _ style: String, end: Bool = false) -> String
    {
        let anchor = end ? " text-anchor=\"end\"" : ""
        return
            "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\"\(anchor)>\(escaped(text))</text>"
    }

    /// The name, shortened to the room beside the bars.
    private func shortened(_ name: String) -> String {
        name.count <= 62 ? name : "\(name.prefix(61))…"
    }

    private func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
