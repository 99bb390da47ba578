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

    /// A sequence of an array's elements in order, made lazily; empty for any other kind.
    public var elements: Elements { Elements(json: self) }

    /// A sequence of an object's members in order, made lazily; empty for any other kind.
    public var members: Members { Members(json: self) }

    /// The keys of an object, in order; empty for any other kind.
    public var keys: [String] { members.map(\.key) }

    /// The elements of an array, in order.
    public struct Elements: Sequence, Sendable {
        let json: JSON

        /// The number of elements.
        public var underestimatedCount: Int { json.word.isArray ? json.count : 0 }

        /// Makes an iterator.
        public func makeIterator() -> Iterator { Iterator(json: json) }

        /// Iterates over the elements.
        public struct Iterator: IteratorProtocol, Sendable {
            private let tape: Tape
            /// The position on the tape, or in the list of edited values.
            private var index: Int
            private let end: Int

            init(json: JSON) {
                tape = json.storage
                index = json.edited == nil ? json.place + 1 : 0
                end =
                    !json.word.isArray ? index : json.edited?.count ?? json.place + json.word.upper
            }

            /// Returns the next element, or nil at the end.
            public mutating func next() -> JSON? {
                guard index < end else { return nil }
                if let edited = tape.edited {
                    defer { index += 1 }
                    return edited.values[index]
                }
                defer { index = tape.next(index) }
                return JSON(tape: tape, index: index)
            }
        }
    }

    /// The members of an object, in order.
    public struct Members: Sequence, Sendable {
        let json: JSON

        /// The number of members.
        public var underestimatedCount: Int { json.word.isObject ? json.count : 0 }

        /// Makes an iterator.
        public func makeIterator() -> Iterator { Iterator(json: json) }

        /// Iterates over the members.
        public struct Iterator: IteratorProtocol, Sendable {
            private let tape: Tape
            /// The position on the tape, or in the list of edited values.
            private var index: Int
            private let end: Int

            init(json: JSON) {
                tape = json.storage
                index = json.edited == nil ? json.place + 1 : 0
                end =
                    !json.word.isObject ? index : json.edited?.count ?? json.place + json.word.upper
            }

            /// Returns the next member, or nil at the end.
            public mutating func next() -> (key: String, value: JSON)? {
                guard index < end else { return nil }
                if let edited = tape.edited {
                    defer { index += 1 }
                    return (edited.keys[index].text, edited.values[index])
                }
                defer { index = tape.next(index + 1) }
                return (tape.text(tape[index]), JSON(tape: tape, index: index + 1))
            }
        }
    }
}
