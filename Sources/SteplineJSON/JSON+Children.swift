extension JSON {
    /// The elements of an array, in order; nil for anything else.
    public var array: [JSON]? {
        guard word.isArray else { return nil }
        return Array(elements)
    }

    /// The members of an object by key, without their order; nil for anything else.
    public var object: [String: JSON]? {
        guard word.isObject else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The elements of an array, in order, one after the other without a list; none for anything else.
    public var elements: Elements { Elements(json: self) }

    /// The members of an object, in order, one after the other without a list; none for anything else.
    public var members: Members { Members(json: self) }

    /// The keys of an object, in order; none for anything else.
    public var keys: [String] { members.map(\.key) }

    /// The elements of an array, in order.
    public struct Elements: Sequence, Sendable {
        let json: JSON

        /// How many there are.
        public var underestimatedCount: Int { json.word.isArray ? json.count : 0 }

        /// Makes an iterator.
        public func makeIterator() -> Iterator { Iterator(json: json) }

        /// Walks the elements.
        public struct Iterator: IteratorProtocol, Sendable {
            private let tape: Tape
            private var index: Int
            private let end: Int

            init(json: JSON) {
                tape = json.tape
                index = json.index + 1
                end = json.word.isArray ? json.index + json.word.upper : index
            }

            /// The next element.
            public mutating func next() -> JSON? {
                guard index < end else { return nil }
                defer { index = tape.next(index) }
                return JSON(tape: tape, index: index)
            }
        }
    }

    /// The members of an object, in order.
    public struct Members: Sequence, Sendable {
        let json: JSON

        /// How many there are.
        public var underestimatedCount: Int { json.word.isObject ? json.count : 0 }

        /// Makes an iterator.
        public func makeIterator() -> Iterator { Iterator(json: json) }

        /// Walks the members.
        public struct Iterator: IteratorProtocol, Sendable {
            private let tape: Tape
            private var index: Int
            private let end: Int

            init(json: JSON) {
                tape = json.tape
                index = json.index + 1
                end = json.word.isObject ? json.index + json.word.upper : index
            }

            /// The next member.
            public mutating func next() -> (key: String, value: JSON)? {
                guard index < end else { return nil }
                defer { index = tape.next(index + 1) }
                return (tape.text(tape[index]), JSON(tape: tape, index: index + 1))
            }
        }
    }
}
