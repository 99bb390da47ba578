extension JSON {
    /// Goes through a value and all that is in it, in the document's order, making only what is asked for.
    ///
    /// ```swift
    /// var walk = json.walk()
    /// var sum = 0.0
    /// while let step = walk.next() {
    ///     if case .number = step { sum += walk.double ?? 0 }
    /// }
    /// ```
    ///
    /// This is the quickest way through a large document: between the steps no value is made, and nothing is
    /// retained. Cost of a step: constant.
    public func walk() -> Walk { Walk(tape: tape, index: index) }

    /// A way through a value and all that is in it, one step after the other.
    public struct Walk: ~Copyable {
        // Of one byte, so that it is handed over in a register.
        /// What has been come to.
        public enum Step: Hashable, Sendable {
            /// `null`.
            case null
            /// `true` or `false`.
            case bool(Bool)
            /// A number, to be asked for as ``Walk/double`` or ``Walk/int``.
            case number
            /// A string, to be asked for as ``Walk/string``.
            case string
            /// A member's key, to be asked for as ``Walk/string``; its value comes next.
            case key
            /// An array of ``Walk/count`` elements, which come next.
            case array
            /// An object of ``Walk/count`` members, which come next.
            case object
            /// The end of the innermost array or object.
            case end
        }

        /// What `skip` goes by.
        @usableFromInline
        enum Last {
            case key, container, other
        }

        /// A container around the one that is gone through.
        private struct Level {
            let end: Int
            let isObject: Bool
        }

        private let tape: Tape
        /// The tape's, which lives as long as the tape.
        @usableFromInline let words: UnsafeMutablePointer<UInt64>
        @usableFromInline let source: UnsafeMutablePointer<UInt8>
        @usableFromInline var current: Int
        @usableFromInline var following: Int
        /// Where the innermost container ends.
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

        /// Goes on by one step; nil when all has been gone through.
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

        /// Passes over the value of the key, or the contents of the array or object, that has just been come to.
        ///
        /// Of an array or object that is passed over no end is told. After any other step nothing is passed over.
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

        /// The text of the string or key that has just been come to; nil for anything else.
        public var string: String? { word.isText ? tape.text(word) : nil }

        /// The number that has just been come to, as the nearest `Double`; nil if it is none or too large.
        public var double: Double? { word.isNumber ? NumberText(bytes).double : nil }

        /// The number that has just been come to, as an `Int`; nil if it is none, not whole or too large.
        public var int: Int? { word.isNumber ? NumberText(bytes).integer() : nil }

        /// How many elements or members the array or object has that has just been come to; 0 for anything else.
        public var count: Int { word.isContainer ? word.lower : 0 }

        /// What has just been come to, as a value: of a key its text.
        public var value: JSON { JSON(tape: tape, index: current) }

        @inlinable var bytes: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: source + word.lower, count: word.upper)
        }

        /// Hands over the UTF-8 of the string, key or number that has just been come to.
        ///
        /// Escapes are resolved; of anything else there are no bytes. They are there while `body` runs.
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

// A walk is for one task.
@available(*, unavailable)
extension JSON.Walk: Sendable {}
