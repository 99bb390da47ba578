extension TreeBuilder {
    /// The sizes of the arrays at one point.
    struct Mark {
        var nodes = 0
        var attributes = 0
        var declarations = 0
        var text = 0
        var side = 0
    }

    var mark: Mark {
        Mark(
            nodes: nodes.count, attributes: attributes.count, declarations: declarations.count,
            text: text.count,
            side: side.count)
    }

    /// Returns the size of the content after a mark, as counted by the record limit.
    func size(since mark: Mark) -> Int {
        (nodes.count - mark.nodes) * 32 + (attributes.count - mark.attributes) * 16 + text.count - mark.text
            + side.count - mark.side
    }

    /// Splits off everything before a mark as a finished builder; the rest begins the next batch.
    mutating func cut(at mark: Mark?) -> TreeBuilder {
        let end = mark ?? self.mark
        _ = names.snapshot()
        var done = self
        self = done.tail(after: end)
        done.nodes.truncate(to: end.nodes)
        done.attributes.truncate(to: end.attributes)
        done.declarations.truncate(to: end.declarations)
        done.text.truncate(to: end.text)
        done.side.truncate(to: end.side)
        done.current = 0
        done.finish()
        return done
    }

    /// Returns a builder with the renumbered content after a mark and the same names.
    private func tail(after mark: Mark) -> TreeBuilder {
        var tail = TreeBuilder(like: self)
        let shift = UInt32(truncatingIfNeeded: mark.nodes - 1)
        let textShift = UInt32(truncatingIfNeeded: mark.text)
        let sideShift = UInt32(truncatingIfNeeded: mark.side)
        for index in mark.nodes..<nodes.count {
            var node = nodes.base[index]
            if node.parent != 0 { node.parent -= shift }
            switch node.kind {
            case .element, .document, .batch:
                node.start -= UInt32(truncatingIfNeeded: mark.attributes)
                if node.end != 0 { node.end -= shift }
            case .text, .cdata:
                node.start -= textShift
                node.end -= textShift
            case .comment, .instruction:
                node.start -= sideShift
                node.end -= sideShift
            }
            tail.nodes.append(node)
        }
        for index in mark.attributes..<attributes.count {
            var attribute = attributes.base[index]
            attribute.owner -= shift
            attribute.start -= sideShift
            attribute.end -= sideShift
            tail.attributes.append(attribute)
        }
        for index in mark.declarations..<declarations.count {
            var declaration = declarations.base[index]
            declaration.owner -= shift
            tail.declarations.append(declaration)
        }
        tail.text.append(text.base + mark.text, count: text.count - mark.text)
        tail.side.append(side.base + mark.side, count: side.count - mark.side)
        tail.current = current == 0 ? 0 : current - shift
        tail.isTextOpen = isTextOpen
        return tail
    }

    /// Creates an empty builder with the same names and the capacity of the last batch.
    private init(like other: TreeBuilder) {
        nodes = RawBuffer(capacity: other.nodes.count + other.nodes.count / 8)
        attributes = RawBuffer(capacity: other.attributes.count + other.attributes.count / 8)
        text = RawBuffer(capacity: other.text.count + other.text.count / 8)
        side = RawBuffer(capacity: other.side.count + other.side.count / 8)
        names = other.names
        nodes.append(NodeRecord(.batch, parent: 0, start: 0, end: 1, line: 0))
    }
}
