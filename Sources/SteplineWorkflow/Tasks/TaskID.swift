/// Where a task is: its position in the workflow, from 1, after those of the workflows around it.
///
/// It is unique in the workflow, the same in every run, and never changes.
public struct TaskID: Hashable, Sendable, Codable, CustomStringConvertible {
    // The list is shared by all tasks of a workflow, so that naming one takes no memory.
    private let around: [Int]
    private let position: Int

    /// The positions, outermost first.
    public var path: [Int] { around + [position] }

    init(around: [Int], position: Int) {
        self.around = around
        self.position = position
    }

    /// Reads what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let path = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .path)
        guard let position = path.last else {
            let text = "a task has at least one position"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        self.init(around: path.dropLast(), position: position)
    }

    /// Writes the path.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
    }

    private enum CodingKeys: CodingKey { case path }

    /// The positions with dots between them, as `3.2`.
    public var description: String { path.map(String.init).joined(separator: ".") }
}
