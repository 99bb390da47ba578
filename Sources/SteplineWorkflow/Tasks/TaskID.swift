/// The position of a task in its workflow, from 1, after the positions of the surrounding workflows.
///
/// The position is unique in the workflow, the same in every run, and never changes.
public struct TaskID: Hashable, Sendable, Codable, CustomStringConvertible {
    // All tasks of a workflow share the list, so an identifier needs no memory of its own.
    private let around: [Int]
    private let position: Int

    /// The positions, outermost first.
    public var path: [Int] { around + [position] }

    init(around: [Int], position: Int) {
        self.around = around
        self.position = position
    }

    /// Decodes a path.
    ///
    /// - Throws: A `DecodingError` for anything but a path of at least one position.
    public init(from decoder: any Decoder) throws {
        let path = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .path)
        // An empty path identifies no task.
        guard let position = path.last else {
            let text = "a task has at least one position"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        self.init(around: path.dropLast(), position: position)
    }

    /// Encodes the path.
    ///
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
    }

    private enum CodingKeys: CodingKey { case path }

    /// The positions separated by dots, such as `3.2`.
    public var description: String { path.map(String.init).joined(separator: ".") }
}
