import Foundation
import SteplineJSON
import SteplineSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LinesTests {
    static let text = "{\"a\":1}\n\n[2]\r\n \"é\" \n4"

    @Test(arguments: 1...26)
    func `records are the same however the bytes are cut`(_ size: Int) async throws {
        var records: [JSON] = []
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        let data = Data(Self.text.utf8)
        for place in stride(from: 0, to: data.count, by: size) {
            source.yield(data.dropFirst(place).prefix(size))
        }
        source.finish()
        for try await record in JSON.Stream(of: .lines, from: chunks) { records.append(record) }
        #expect(records == [["a": 1], [2], "é", 4])
    }

    @Test func `a bad line is the end, and its error is thrown again`() {
        let reader = JSON.LineReader()
        var records: [JSON] = []
        for text in ["1\nx\n3\n4", "4\n"] {
            let error = #expect(throws: JSONError.self) {
                try reader.read(Data(text.utf8)) { records.append($0) }
            }
            #expect(error?.line == 2 && reader.line == 2)
        }
        #expect(records == [1])
    }

    @Test(arguments: ["1\n[1,2,3,4,5,6", "1\n[1,2,3,4,5,6]\n2"])
    func `lines have a size limit, whole or under way`(_ text: String) {
        let reader = JSON.LineReader(options: .init(maximumSize: 10))
        let error = #expect(throws: JSONError.self) { try reader.read(Data(text.utf8)) { _ in } }
        #expect(error?.code == .tooLarge)
        #expect(error?.line == 2 && error?.byteOffset == 2 && reader.line == 2)
    }

    @Test func `a file is read in pieces, and one that isn't there is unreadable`() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lines-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: url) }
        var data = Data([0xEF, 0xBB, 0xBF])
        for number in 0..<5000 {
            data.append(contentsOf: "{\"id\":\(number),\"text\":\"some more bytes\"}\n".utf8)
        }
        try data.write(to: url)
        var sum = 0
        for try await record in JSON.Stream(of: .lines, in: url) { sum += record.id?.int ?? 0 }
        #expect(sum == 5000 * 4999 / 2)
        var count = 0
        try JSON.Stream(of: .lines, in: url).forEach { _ in count += 1 }
        #expect(count == 5000)
        let error = await #expect(throws: JSONError.self) {
            for try await _ in JSON.Stream(of: .lines, in: url.appendingPathExtension("not")) {}
        }
        #expect(error?.code == .unreadable)
        #expect(error?.underlying != nil)
    }

    @Test func `records come while chunks still arrive`() async throws {
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        var records = JSON.Stream(of: .lines, from: chunks).makeAsyncIterator()
        source.yield(Data("{\"a\":1}\n{\"a\"".utf8))
        #expect(try await records.next() == ["a": 1])
        source.yield(Data(":2}".utf8))
        source.finish()
        #expect(try await records.next() == ["a": 2])
        #expect(try await records.next() == nil)
        #expect(try await records.next() == nil)
    }

    @Test func `chunks are asked for only as records are`() async throws {
        let asked = Locked(0)
        let chunks = AsyncStream<Data> {
            let number = asked.withLock { count in
                count += 1
                return count
            }
            return Data("{\"n\":\(number * 2 - 1)}\n{\"n\":\(number * 2)}\n".utf8)
        }
        var seen = 0
        for try await record in JSON.Stream(of: .lines, from: chunks) {
            seen += 1
            #expect(record.n?.int == seen)
            // Two records a chunk: whoever takes one has not made the source give the next but one.
            #expect(asked.withLock { $0 } == (seen + 1) / 2)
            if seen == 9 { break }
        }
        #expect(asked.withLock { $0 } == 5)
    }
}
