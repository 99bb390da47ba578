import Foundation
import SteplineJSON
import TestSupport
import Testing

/// Nothing in a stream of lines is skipped without saying so.
@Suite(.timeLimit(.minutes(5))) struct LineFaultsTests {
    /// The records before the first error, and the error.
    private static func read(_ bytes: [UInt8], pieces: Int? = nil) -> (records: [JSON], error: JSONError?) {
        let reader = JSON.LineReader()
        var records: [JSON] = []
        let size = pieces ?? max(1, bytes.count)
        do {
            for place in stride(from: 0, to: bytes.count, by: size) {
                let piece = Data(bytes[place..<min(bytes.count, place + size)])
                try reader.read(piece) { records.append($0) }
            }
            try reader.finish { records.append($0) }
        } catch {
            return (records, error as? JSONError)
        }
        return (records, nil)
    }

    @Test(arguments: ["\u{1}", "\0", "\u{B}", "\u{1}\u{2}\u{1F}", "\u{C}", " \u{8} ", "\u{7F}", "\u{A0}"])
    func `a line of control characters is an error`(_ text: String) {
        let (records, error) = Self.read(Array("1\n\(text)\n2\n".utf8))
        #expect(records == [1])
        #expect(error?.line == 2 && error?.code == .unexpectedCharacter)
    }

    @Test func `lines of white space are skipped`() {
        let (records, error) = Self.read(Array("\n \n\t\r\n\r\n1\n\r\r\n  2\r\n".utf8))
        #expect(records == [1, 2] && error == nil)
    }

    @Test(arguments: [nil, 1, 2]) func `only the first line may have a byte order mark`(_ pieces: Int?) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let (records, error) = Self.read(
            mark + Array("1\n".utf8) + mark + Array("2\n3".utf8), pieces: pieces)
        #expect(records == [1])
        #expect(error?.line == 2 && error?.column == 1 && error?.byteOffset == 5)
        #expect(Self.read(mark + Array("\n1".utf8), pieces: pieces).records == [1])
        #expect(Self.read([0x0A] + mark + Array("1\n".utf8), pieces: pieces).error?.line == 2)
    }

    @Test(arguments: ["[\0]\0", "1\0", "\0[\0]", "\"a\0\""])
    func `zeros don't make a line UTF-16`(_ text: String) {
        let (records, error) = Self.read(Array("\(text)\n2".utf8))
        #expect(records.isEmpty && error?.line == 1)
    }

    @Test func `a carriage return in a line is no line end`() {
        let (records, error) = Self.read(Array("[1,\r2]\n[1,\r\"é\"\rx]\n".utf8))
        #expect(records == [[1, 2]])
        #expect(error?.line == 2 && error?.column == 9 && error?.byteOffset == 16)
    }

    @Test func `empty lines of several pieces are counted`() throws {
        let reader = JSON.LineReader()
        let count = Chance.isSoak ? 1 << 20 : 4_099
        let feeds = Data(repeating: 0x0A, count: count)
        for _ in 0..<4 { try reader.read(feeds) { _ in } }
        var lines: [Int] = []
        try reader.read(Data("7".utf8)) { _ in }
        try reader.finish { _ in lines.append(reader.line) }
        #expect(lines == [4 * count + 1])
    }

    @Test func `the reader's current line is available in its closure`() throws {
        let reader = JSON.LineReader()
        var lines: [Int] = []
        try reader.read(Data("1\n\n2\n3".utf8)) { _ in lines.append(reader.line) }
        try reader.finish { _ in lines.append(reader.line) }
        #expect(lines == [1, 3, 4])
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct LinesOnAnActorTests {
    @Test func `records are parsed where they are asked for, and an actor is not left for each`() async throws
    {
        var records = JSON.Stream(of: .lines, in: Data("1\n2\n3\n".utf8)).makeAsyncIterator()
        var seen: [JSON] = []
        while let record = try await records.next(isolation: MainActor.shared) { seen.append(record) }
        #expect(seen == [1, 2, 3])
        #expect(try await records.next(isolation: MainActor.shared) == nil)
    }

    @Test func `after an error of the chunks no further record comes`() async throws {
        let chunks = AsyncThrowingStream<Data, any Error> { chunks in
            chunks.yield(Data("1\n23".utf8))
            chunks.finish(throwing: POSIXError(.ECONNRESET))
        }
        var records = JSON.Stream(of: .lines, from: chunks).makeAsyncIterator()
        #expect(try await records.next(isolation: MainActor.shared) == 1)
        do {
            _ = try await records.next(isolation: MainActor.shared)
            Issue.record("the chunks have ended with an error")
        } catch {
            #expect(error is POSIXError)
        }
        #expect(try await records.next(isolation: MainActor.shared) == nil)
    }

    @Test func `a bad line is an error with its place, after the records before it, and ends the sequence`()
        async throws
    {
        var records = JSON.Stream(of: .lines, in: Data("1\n2\n\n[3,}\n5".utf8)).makeAsyncIterator()
        var seen: [JSON] = []
        var failure: JSONError?
        do {
            while let record = try await records.next(isolation: MainActor.shared) { seen.append(record) }
        } catch { failure = error as? JSONError }
        #expect(seen == [1, 2])
        #expect(failure?.code == .unexpectedCharacter && failure?.byteOffset == 8)
        #expect(failure?.line == 4 && failure?.column == 4)
        #expect(try await records.next(isolation: MainActor.shared) == nil)
    }
}
