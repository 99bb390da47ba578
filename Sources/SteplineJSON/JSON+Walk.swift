extension JSON {
    /// Returns a cursor over the value and all values in it, in document order.
    ///
    /// ```swift
    /// var walk = json.walk()
    /// var sum = 0.0
    /// while let step = walk.next() {
    ///     if case .number = step { sum += walk.double ?? 0 }
    /// }
    /// ```
    ///
    /// A walk is the fastest way to read a large document: a step makes no value and retains nothing. Cost of a
    /// step: constant.
    public func walk() -> Walk { Walk(tape: tape, index: index) }

    /// A cursor over a value and all values in it.
    public struct Walk: ~Copyable {
        // The type takes one byte, so that a step is returned in a register.
        /// The item at the cursor.
        public enum Step: Hashable, Sendable {
            /// `null`.
            case null
            /// `true` or `false`.
            case bool(Bool)
            /// A number; read it with ``Walk/double`` or ``Walk/int``.
            case number
            /// A string; read it with ``Walk/string``.
            case string
            /// The key of a member; read it with ``Walk/string``. The next step is its value.
            case key
            /// An array with ``Walk/count`` elements, which follow.
            case array
            /// An object with ``Walk/count`` members, which follow.
            case object
            /// The end of the innermost array or object.
            case end
        }

        /// The kind of the last step, which decides what `skip` skips.
        @usableFromInline
        enum Last {
            case key, container, other
        }

        /// An enclosing container of the current one.
        private struct Level {
            let end: Int
            let isObject: Bool
        }

        private let tape: Tape
        /// The words of the tape, valid as long as `tape` is retained.
        @usableFromInline let words: UnsafeMutablePointer<UInt64>
        @usableFromInline let source: UnsafeMutablePointer<UInt8>
        @usableFromInline var current: Int
        @usableFromInline var following: Int
        /// The index after the innermost container.
        @usableFromInline var end: Int
        @usableFromInline var isInObject = false
        @usableFromInline var isBeforeKey = false
        @usableFromInline var last = Last.other
        private var outer: [Level] = []

        init(tape: Tape, index: Int) {
            self.tape = tape
            words = tape.words
            source = tape.source
            current = index
            following = index
            end = tape.next(index)
        }

        @inlinable var word: Word { Word(raw: words[current]) }

        /// Advances to the next item; returns nil at the end of the value.
        @inlinable
        public mutating func next() -> Step? {
            guard following < end else { return leave() }
            current = following
            following &+= 1
            if isBeforeKey {
                isBeforeKey = false
                last = .key
                return .key
            }
            let word = word
            if word.isContainer { return enter(word) }
            isBeforeKey = isInObject
            last = .other
            switch word.kind {
            case .yes: return .bool(true)
            case .no: return .bool(false)
            case .integer, .real: return .number
            case .text, .escapedText: return .string
            default: return .null
            }
        }

        /// Skips the value of the current key, or the contents of the current array or object.
        ///
        /// No `end` follows a skipped array or object. After any other step `skip` does nothing.
        public mutating func skip() {
            switch last {
            case .key:
                following = tape.next(following)
                isBeforeKey = true
                last = .other
            case .container:
                following = end
                _ = leave()
            case .other: break
            }
        }

        @usableFromInline
        mutating func enter(_ word: Word) -> Step {
            outer.append(Level(end: end, isObject: isInObject))
            last = .container
            end = current &+ word.upper
            isInObject = word.isObject
            isBeforeKey = isInObject
            return isInObject ? .object : .array
        }

        @usableFromInline
        mutating func leave() -> Step? {
            guard let around = outer.popLast() else { return nil }
            end = around.end
            isInObject = around.isObject
            isBeforeKey = isInObject
            last = .other
            return .end
        }

        /// The text of the current string or key; nil for any other item.
        public var string: String? { word.isText ? tape.text(word) : nil }

        /// The current number as the nearest `Double`; nil if out of range or not a number.
        public var double: Double? { word.isNumber ? NumberText(bytes).double : nil }

        /// The current number as an `Int`; nil if not whole, out of range or not a number.
        public var int: Int? { word.isNumber ? NumberText(bytes).integer() : nil }

        /// The number of elements or members of the current array or object; 0 for any other item.
        public var count: Int { word.isContainer ? word.lower : 0 }

        /// The current item as a value; for a key, its text.
        public var value: JSON { JSON(tape: tape, index: current) }

        @inlinable var bytes: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: source + word.lower, count: word.upper)
        }

        /// Calls `body` with the UTF-8 of the current string, key or number.
        ///
        /// Escapes are resolved. For any other item the buffer is empty. The buffer is valid only during the call.
        @inlinable
        public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
            if word.isEscaped { return try withResolved(body) }
            guard word.isText || word.isNumber else { return try body(.init(start: nil, count: 0)) }
            return try body(bytes)
        }

        @usableFromInline
        func withResolved<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: word.upper) { target in
                let count = Escapes.unescape(bytes, into: target)
                return try body(UnsafeBufferPointer(rebasing: target[..<count]))
            }
        }
    }
}

// A walk must not be shared between tasks.
@available(*, unavailable)
extension JSON.Walk: Sendable {}
