import SteplineSupport

extension JSON {
    /// The elements of an array, in order; nil for any other kind.
    public var array: [JSON]? {
        guard word.isArray else { return nil }
        return Array(elements)
    }

    /// The members of an object by key, without their order; nil for any other kind.
    public var object: [String: JSON]? {
        guard word.isObject else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The elements of an array, in order, one after the other without a list; none for anything else.
    public var elements: Elements { Elements(self) }

    /// The members of an object, in order, one after the other without a list; none for anything else.
    public var members: Members { Members(self) }

    /// The keys of an object, in order; empty for any other kind.
    public var keys: [String] { members.map(\.key) }

    /// The elements of an array, in order.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private let tape: Tape
        /// The next element's place on the tape, or among edited values.
        private var index: Int

        /// How many are left.
        public private(set) var underestimatedCount: Int

        init(_ json: JSON) {
            tape = json.storage
            index = json.edited == nil ? json.place + 1 : 0
            underestimatedCount = json.word.isArray ? json.count : 0
        }

        /// The next element.
        public mutating func next() -> JSON? {
            guard underestimatedCount > 0 else { return nil }
            underestimatedCount -= 1
            if let edited = tape.edited {
                defer { index += 1 }
                return edited.values[index]
            }
            defer { index = tape.next(index) }
            return JSON(tape: tape, index: index)
        }
    }

    /// The members of an object, in order.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        private let tape: Tape
        /// The next key's place on the tape, or among edited values.
        private var index: Int

        /// How many are left.
        public private(set) var underestimatedCount: Int

        init(_ json: JSON) {
            tape = json.storage
            index = json.edited == nil ? json.place + 1 : 0
            underestimatedCount = json.word.isObject ? json.count : 0
        }

        /// The next member.
        public mutating func next() -> (key: String, value: JSON)? {
            guard underestimatedCount > 0 else { return nil }
            underestimatedCount -= 1
            if let edited = tape.edited {
                defer { index += 1 }
                return (edited.keys[index].text, edited.values[index])
            }
            defer { index = tape.next(index + 1) }
            return (tape.text(tape[index]), JSON(tape: tape, index: index + 1))
        }
    }
}
