/// Writes values from the tape without recursion; numbers and strings are copied as written in the source.
struct JSONWriter {
    /// A container that is being written.
    private struct Open {
        var next: Int
        let end: Int
        let isObject: Bool
        var isEmpty = true
        /// The keys still to write in reverse order, if keys are sorted.
        var sorted: [Int]?

        mutating func nextChild(_ tape: Tape) -> Int? {
            if sorted != nil { return sorted?.popLast() }
            guard next < end else { return nil }
            defer { next = tape.next(isObject ? next + 1 : next) }
            return next
        }
    }

    private let tape: Tape
    private let format: JSON.Format
    private var open: [Open] = []
    private(set) var bytes: [UInt8] = []

    init(_ tape: Tape, _ format: JSON.Format) {
        self.tape = tape
        self.format = format
    }

    mutating func write(_ index: Int) {
        start(index)
        while var top = open.popLast() {
            guard let child = top.nextChild(tape) else {
                if !top.isEmpty { newLine() }
                bytes.append(top.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                continue
            }
            if !top.isEmpty { bytes.append(UInt8(ascii: ",")) }
            top.isEmpty = false
            open.append(top)
            newLine()
            if top.isObject {
                text(tape[child])
                bytes.append(UInt8(ascii: ":"))
                if format.isPretty { bytes.append(UInt8(ascii: " ")) }
                start(child + 1)
            } else {
                start(child)
            }
        }
    }

    /// Writes a scalar, or opens a container.
    private mutating func start(_ index: Int) {
        let word = tape[index]
        switch word.kind {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .yes: bytes.append(contentsOf: "true".utf8)
        case .no: bytes.append(contentsOf: "false".utf8)
        case .integer, .real: bytes.append(contentsOf: tape.bytes(word))
        case .text, .escapedText: text(word)
        case .array, .object:
            bytes.append(word.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
            let sorted = word.isObject && format.sortsKeys ? sortedKeys(index) : nil
            open.append(
                Open(next: index + 1, end: index + word.upper, isObject: word.isObject, sorted: sorted))
        }
    }

    private mutating func text(_ word: Word) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: tape.bytes(word))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func newLine() {
        guard format.isPretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: open.count * 2))
    }

    private func sortedKeys(_ object: Int) -> [Int] {
        var keys: [(text: String, index: Int)] = []
        var index = object + 1
        while index < object + tape[object].upper {
            keys.append((tape.text(tape[index]), index))
            index = tape.next(index + 1)
        }
        keys.sort { $1.text.utf8.lexicographicallyPrecedes($0.text.utf8) }
        return keys.map(\.index)
    }
}
