extension PictureFormat {
    /// What stands at the beginning of each picture, so that it is known again.
    static let mark = "drawn by stepline"

    /// How a file of the format begins.
    private var opening: String {
        switch self {
        case .dot: "digraph workflow {"
        case .mermaid: "flowchart LR"
        case .svg: "<?xml "
        case .html: "<!DOCTYPE html>"
        default: "{\"displayTimeUnit\""
        }
    }

    /// Whether a file that begins with this text was written in this format by us; some 4,000 bytes are enough.
    package func isOwn(beginning text: some StringProtocol) -> Bool {
        text.hasPrefix(opening) && text.contains(Self.mark)
    }
}
