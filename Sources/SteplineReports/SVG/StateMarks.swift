/// The shapes that represent states, so that colours aren't needed to distinguish them.
enum StateMarks {
    /// The width and height of a mark.
    static let size = 18.0

    /// The definitions that drawings refer to, needed once per page.
    static let definitions: String = {
        var text = ""
        for look in TaskLook.allCases { text += "<g id=\"mark-\(look.rawValue)\">\(shape(look))</g>" }
        for (name, style) in [("arrow", "tip"), ("arrow-critical", "tip critical")] {
            text +=
                "<marker id=\"\(name)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
                + "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                + "<path class=\"\(style)\" d=\"M0.5 0.8 7.5 4 0.5 7.2 2.2 4Z\"/></marker>"
        }
        return "<defs>\(text)</defs>"
    }()

    static func use(_ look: TaskLook, x: Double, y: Double, scale: Double = 1) -> String {
        let place = "translate(\(TimeText.coordinate(x)) \(TimeText.coordinate(y)))"
        let size = scale == 1 ? "" : " scale(\(TimeText.fixed(scale, 2)))"
        return
            "<use href=\"#mark-\(look.rawValue)\" class=\"mark \(look.rawValue)\" transform=\"\(place)\(size)\"/>"
    }

    /// Returns a mark to embed in text.
    static func inline(_ look: TaskLook) -> String {
        "<svg class=\"inline\" viewBox=\"0 0 18 18\" aria-hidden=\"true\">\(use(look, x: 0, y: 0))</svg>"
    }

    private static func shape(_ look: TaskLook) -> String {
        let disc = "<circle class=\"solid\" cx=\"9\" cy=\"9\" r=\"8\"/>"
        let ring = "<circle class=\"ring\" cx=\"9\" cy=\"9\" r=\"7\"/>"
        switch look {
        case .pending:
            return "<circle class=\"ring\" cx=\"9\" cy=\"9\" r=\"7\" stroke-dasharray=\"2.8 2.7\"/>"
        case .blocked: return ring + "<path class=\"ring\" d=\"M5.2 9H12.8\"/>"
        case .ready: return ring + "<path class=\"solid\" d=\"M7 5.4 12.6 9 7 12.6Z\"/>"
        case .executing: return ring + "<path class=\"solid\" d=\"M9 4.4A4.6 4.6 0 0 1 9 13.6Z\"/>"
        case .finished: return disc + "<path class=\"cut\" d=\"M5.2 9.4 7.9 12 12.8 6.4\"/>"
        case .failed:
            return "<path class=\"solid\" d=\"M5.7 1H12.3L17 5.7V12.3L12.3 17H5.7L1 12.3V5.7Z\"/>"
                + "<path class=\"cut\" d=\"M6.1 6.1 11.9 11.9M11.9 6.1 6.1 11.9\"/>"
        case .cancelled: return ring + "<path class=\"ring\" d=\"M4.1 13.9 13.9 4.1\"/>"
        }
    }
}
