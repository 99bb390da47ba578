import Foundation

/// The place of a field's begin.
struct CSVPlace: Sendable {
    let line: Int
    let column: Int
}

/// Splits bytes that arrive in chunks into rows of unquoted fields.
///
/// | state | meaning |
/// |---|---|
/// | `fieldStart` | before the first byte of a field |
/// | `plain` | inside an unquoted field |
/// | `quoted` | inside quotes |
/// | `quoteInQuotes` | after a quote inside quotes: its end, or the first of two |
///
/// Runs of ordinary bytes are copied at once. Only separators, quotes and line ends change the state.
struct CSVTokenizer {
    struct Row {
        let line: Int
        let bytes: [UInt8]
        let ends: [Int]
        let places: [CSVPlace]
        let isUTF8: Bool

        func record(_ header: CSVRecord.Names) -> CSVRecord {
            CSVRecord(line: line, header: header, bytes: bytes, ends: ends, places: places)
        }
    }

    private enum State {
        case fieldStart, plain, quoted
        /// After a quote inside quotes: the end of the field, or the first of two quotes.
        case quoteInQuotes
    }

    private static let quote = UInt8(ascii: "\"")
    private static let feed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    private let format: CSVFormat
    private var separator: UInt8
    private var state = State.fieldStart
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var places: [CSVPlace] = []
    /// The begin of the row, and the position of the next byte.
    private var rowLine = 1
    private var line = 1
    private var column = 1
    private var quoteLine = 1
    private var quoteColumn = 1
    private var isAfterReturn = false
    private var isASCII = true
    private var isFirstRow = true
    /// Whether the first field of the row is quoted, so that it can't be a separator line.
    private var isFirstQuoted = false

    init(_ format: CSVFormat) {
        self.format = format
        separator = format.separatorByte ?? UInt8(ascii: ",")
    }

    mutating func take(_ chunk: UnsafeRawBufferPointer, _ body: (Row) throws -> Void) throws {
        if let problem = format.problems.first { throw CSVError(.invalidFormat, problem) }
        var index = 0
        while index < chunk.count {
            let run = plainRun(chunk, index)
            if run > 0 {
                if state == .fieldStart { begin(.plain) }
                if state == .quoteInQuotes {
                    throw error(.unexpectedQuote, "Unexpected text after a closing quote")
                }
                append(UnsafeRawBufferPointer(rebasing: chunk[index..<index + run]))
                index += run
            } else {
                try special(chunk[index], body)
                index += 1
            }
            // Count one byte for each separator.
            guard bytes.count + ends.count <= format.maximumRecordSize else {
                throw CSVError(
                    .tooLarge, "A record is longer than \(format.maximumRecordSize) bytes", line: rowLine)
            }
        }
    }

    mutating func finish(_ body: (Row) throws -> Void) throws {
        if state == .quoted {
            throw CSVError(
                .unexpectedEnd, "The text ends inside quotes", line: quoteLine, column: quoteColumn)
        }
        if state != .fieldStart || !ends.isEmpty { try endRow(body) }
    }

    /// Returns the number of ordinary bytes that follow.
    private func plainRun(_ chunk: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var index = start
        if state == .quoted {
            while index < chunk.count, chunk[index] != Self.quote, chunk[index] != Self.feed,
                chunk[index] != Self.carriageReturn
            {
                index += 1
            }
        } else {
            while index < chunk.count {
                let byte = chunk[index]
                if byte == separator || byte == Self.quote || byte == Self.feed || byte == Self.carriageReturn
                {
                    break
                }
                index += 1
            }
        }
        return index - start
    }

    private mutating func append(_ run: UnsafeRawBufferPointer) {
        isAfterReturn = false
        bytes.append(contentsOf: run)
        var continuations = 0
        var high: UInt8 = 0
        for byte in run {
            continuations &+= byte & 0xC0 == 0x80 ? 1 : 0
            high |= byte
        }
        if high >= 0x80 { isASCII = false }
        column += run.count - continuations
    }

    private mutating func special(_ byte: UInt8, _ body: (Row) throws -> Void) throws {
        let isSecondEnd = isAfterReturn && byte == Self.feed
        isAfterReturn = byte == Self.carriageReturn
        switch (state, byte) {
        case (.quoted, Self.quote):
            state = .quoteInQuotes
            column += 1
        case (.quoted, _):
            bytes.append(byte)
            if !isSecondEnd { line += 1 }
            column = 1
        case (.quoteInQuotes, Self.quote):
            bytes.append(Self.quote)
            state = .quoted
            column += 1
        case (.fieldStart, Self.quote):
            begin(.quoted)
            quoteLine = line
            quoteColumn = column
            column += 1
        case (.plain, Self.quote):
            // A byte order mark may precede the first field's quote.
            guard isMarkAlone else {
                throw error(.unexpectedQuote, "Unexpected quote in an unquoted field")
            }
            bytes = []
            state = .quoted
            isFirstQuoted = true
            quoteLine = line
            quoteColumn = 1
            column = 2
        case (_, separator):
            endField()
            column += 1
        default:
            if isSecondEnd { return }
            if state != .fieldStart || !ends.isEmpty { try endRow(body) }
            line += 1
            column = 1
            rowLine = line
        }
    }

    private var isMarkAlone: Bool { isFirstRow && ends.isEmpty && bytes == [0xEF, 0xBB, 0xBF] }

    private mutating func begin(_ state: State) {
        self.state = state
        if state == .quoted, ends.isEmpty { isFirstQuoted = true }
        places.append(CSVPlace(line: line, column: column))
    }

    private mutating func endField() {
        if state == .fieldStart { places.append(CSVPlace(line: line, column: column)) }
        state = .fieldStart
        ends.append(bytes.count)
    }

    private mutating func endRow(_ body: (Row) throws -> Void) throws {
        endField()
        if isFirstRow {
            isFirstRow = false
            if !isFirstQuoted {
                passMark()
                if takesSeparator() { return clear() }
            }
        }
        let isUTF8 = isASCII || String(validating: bytes, as: UTF8.self) != nil
        let row = Row(line: rowLine, bytes: bytes, ends: ends, places: places, isUTF8: isUTF8)
        clear()
        try body(row)
    }

    private mutating func clear() {
        let size = bytes.count
        bytes = []
        bytes.reserveCapacity(size)
        ends = []
        places = []
        isASCII = true
        isFirstQuoted = false
    }

    private mutating func passMark() {
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]), (ends.first ?? 0) >= 3 else { return }
        bytes.removeFirst(3)
        for index in ends.indices {
            ends[index] -= 3
            let place = places[index]
            if index > 0, place.line == 1 { places[index] = CSVPlace(line: 1, column: place.column - 1) }
        }
    }

    /// Returns whether the first line only names the separator, as written by spreadsheets.
    private mutating func takesSeparator() -> Bool {
        guard bytes.starts(with: "sep=".utf8) else { return false }
        // The comma of `sep=,` has split the line.
        if ends == [4, 4] { return true }
        guard bytes.count == 5, ends.count == 1, bytes[4] >= 0x20 || bytes[4] == 0x09 else { return false }
        separator = bytes[4]
        return true
    }

    private func error(_ code: CSVError.Code, _ message: String) -> CSVError {
        CSVError(code, message, line: line, column: column)
    }
}
