import SteplineJSON

/// A value in a workflow file with its place.
///
/// Unlike `JSON`, a node has the places of all values and keys, and keeps duplicate keys.
struct FlowNode: Sendable {
    enum Value: Sendable {
        case null
        case bool(Bool)
        /// The number in JSON syntax.
        case number(String)
        case text(FlowText)
        case list([FlowNode])
        case object([FlowMember])
    }

    let value: Value
    /// The offset in the file.
    let offset: Int

    var text: FlowText? {
        if case .text(let text) = value { text } else { nil }
    }

    /// The kind of the value, for messages.
    var kind: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .text: "a string"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// The value as JSON; the last of duplicate keys counts.
    var json: JSON {
        switch value {
        case .null: return .null
        case .bool(let truth): return JSON(truth)
        case .number(let literal): return (try? JSON(parsing: literal)) ?? .null
        case .text(let text): return JSON(text.string)
        case .list(let nodes): return (try? JSON(elements: nodes.map(\.json))) ?? .null
        case .object(let members):
            return (try? JSON(members: members.map { (key: $0.key, value: $0.value.json) })) ?? .null
        }
    }
}

/// A key and its value.
struct FlowMember: Sendable {
    let key: String
    /// The offset of the key.
    let offset: Int
    let value: FlowNode
}

/// The text of a string, with the file offsets of its parts; escapes are longer in the file than in the text.
struct FlowText: Sendable {
    let string: String
    /// The offset of the first character.
    let start: Int
    /// The positions after each escape: an offset in the text's UTF-8 and the corresponding file offset.
    var marks: [(text: Int, file: Int)] = []

    init(_ string: String, start: Int, marks: [(text: Int, file: Int)] = []) {
        self.string = string
        self.start = start
        self.marks = marks
    }

    /// Returns the file offset of an offset in the text's UTF-8.
    func fileOffset(of offset: Int) -> Int {
        // Binary search: there may be an escape for each character.
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].text <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return start + offset }
        return marks[low - 1].file + offset - marks[low - 1].text
    }
}
