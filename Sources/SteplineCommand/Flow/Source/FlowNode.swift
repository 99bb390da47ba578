import SteplineJSON

/// A value in a workflow file, and where it stands.
///
/// Unlike a `JSON` it keeps the place of every value and key, and keys that stand twice.
struct FlowNode: Sendable {
    enum Value: Sendable {
        case null
        case bool(Bool)
        /// The number as JSON writes it.
        case number(String)
        case text(FlowText)
        case list([FlowNode])
        case object([FlowMember])
    }

    let value: Value
    /// Where it begins in the file.
    let offset: Int

    var text: FlowText? {
        if case .text(let text) = value { text } else { nil }
    }

    /// What it is, for messages.
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

    /// The same as JSON; of keys that stand twice the last one stays.
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
    /// Where the key begins in the file.
    let offset: Int
    let value: FlowNode
}

/// The text of a string, and where its parts stand in the file, where escapes take more room than what they
/// stand for.
struct FlowText: Sendable {
    let string: String
    /// Where the first character stands.
    let start: Int
    /// After each escape: an offset in the text's UTF-8, and the one in the file that it is at.
    var marks: [(text: Int, file: Int)] = []

    init(_ string: String, start: Int, marks: [(text: Int, file: Int)] = []) {
        self.string = string
        self.start = start
        self.marks = marks
    }

    /// Where an offset of the text's UTF-8 is in the file.
    func fileOffset(of offset: Int) -> Int {
        // There may be as many as there are characters.
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].text <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return start + offset }
        return marks[low - 1].file + offset - marks[low - 1].text
    }
}
