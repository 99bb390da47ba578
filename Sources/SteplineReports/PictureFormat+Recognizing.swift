extension PictureFormat {
    /// The marker at the beginning of each picture, by which `isOwn(beginning:)` recognizes it.
    static let mark = "drawn by stepline"

    /// The beginning of a file in this format.
    private var opening: String {
        switch self {
        case .dot: "digraph workflow {"
        case .mermaid: "flowchart LR"
        case .svg: "<?xml "
        case .html: "<!DOCTYPE html>"
        default: "{\"displayTimeUnit\""
        }
    }

    /// Returns whether a file that begins with this text is a picture by Stepline in this format.
    ///
    /// The first 4,000 bytes suffice.
    package func isOwn(beginning text: some StringProtocol) -> Bool {
        text.hasPrefix(opening) && text.contains(Self.mark)
    }
}
