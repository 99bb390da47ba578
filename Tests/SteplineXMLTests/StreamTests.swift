import Foundation
import SteplineSupport
import SteplineXML
import Testing

/// A feed of `count` records.
func recordsSource(_ count: Int) -> String {
    var text = "<?xml version='1.0'?>\n<list xmlns:m='urn:m'>\n"
    for number in 0..<count {
        text += "<item id='\(number)' m:k='ä'><!--c--><title>Nr \(number) &amp; ü</title><m:x/></item>\n"
    }
    return text + "</list>"
}

@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    private func records(_ stream: XML.Stream) throws -> [XML.Element] {
        var all: [XML.Element] = []
        try stream.forEach { record in
            all.append(record)
            return .more
        }
        return all
    }

    /// PL-102: wherever the chunks are cut, the records are the same.
    @Test(arguments: [1, 2, 3, 7, 64, 1_000, 100_000])
    func `PL-102 records don't depend on the chunks`(size: Int) throws {
        let bytes = Array(recordsSource(200).utf8)
        let expected = try XML.Document(bytes: bytes).root.children("item").map(\.xml)
        let parser = XML.RecordParser(of: "item")
        var records: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            records += try parser.feed(Array(bytes[start..<min(start + size, bytes.count)])).map(\.xml)
        }
        records += try parser.finish().map(\.xml)
        #expect(records == expected)
        #expect(parser.recordsRead == 200)
    }

    @Test func `PL-102 a cut input fails and tells how many records came`() throws {
        let bytes = Array(recordsSource(50).utf8)
        for cut in stride(from: 1, to: bytes.count - 1, by: 13) {
            let parser = XML.RecordParser(of: "item")
            var count = 0
            let error = #expect(throws: XMLError.self) {
                count += try parser.feed(Array(bytes[..<cut])).count
                count += try parser.finish().count
                _ = try parser.finish()
            }
            #expect(error?.recordsRead == count, "cut at \(cut)")
            #expect(error?.code != .misuse, "cut at \(cut): \(error.map(String.init(describing:)) ?? "")")
        }
    }

    @Test func `records before a fault are given first`() async throws {
        let data = Data((recordsSource(3).dropLast(7) + "<item></wrong>").utf8)
        var ids: [Int?] = []
        let error = await #expect(throws: XMLError.self) {
            for try await record in XML.Stream(of: "item", in: data) {
                ids.append(record["id", as: Int.self])
            }
        }
        #expect(ids == [0, 1, 2])
        #expect(error?.recordsRead == 3)
        #expect(error?.line == 6)
    }

    @Test func `paths choose the records`() throws {
        let data = Data("<a xmlns:n='u'><b><c>1</c></b><c>2</c><n:c>3</n:c><c><c>4</c></c></a>".utf8)
        func texts(_ path: String, _ namespaces: [String: String] = [:]) throws -> [String] {
            try records(XML.Stream(of: path, in: data, namespaces: namespaces)).map(\.text)
        }
        let cases: [(path: String, texts: [String])] = [
            ("c", ["1", "2", "4"]), ("b/c", ["1"]), ("/a/c", ["2", "4"]), ("n:c", ["3"]),
            ("/a/*/c", ["1", "4"]), ("/a", ["1234"]), ("nothing", []),
        ]
        for (path, expected) in cases { #expect(try texts(path) == expected, "\(path)") }
        #expect(try texts("z:c", ["z": "u"]) == ["3"])
    }

    @Test func `chunks are asked for only as they are needed`() async throws {
        let asked = Counter()
        let bytes = Array(recordsSource(5_000).utf8)
        let chunks = AsyncStream<[UInt8]> {
            let start = asked.next() * 1_000
            return start < bytes.count ? Array(bytes[start..<min(start + 1_000, bytes.count)]) : nil
        }
        var seen = 0
        for try await record in XML.Stream(of: "item", from: chunks) {
            #expect(record["id", as: Int.self] == seen)
            seen += 1
            if seen == 5 { break }
        }
        #expect(asked.value < 4)
    }

    @Test func `PL-102 a throw in the callback names record and line`() throws {
        struct Odd: Error {}
        let stream = XML.Stream(of: "item", in: Data(recordsSource(10).utf8))
        let error = #expect(throws: XMLError.self) {
            try stream.forEach { record in
                if record["id"] == "4" { throw Odd() }
                return .more
            }
        }
        #expect(error?.code == .record && error?.recordsRead == 5 && error?.line == 7)
        #expect(error?.underlying is Odd)
        #expect(try stream.forEach { $0["id"] == "2" ? .stop : .more } == 3)
    }

    @Test func `PL-102 a cancelled task reads no further`() async {
        let stream = XML.Stream(of: "item", in: Data(recordsSource(10).utf8))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in stream {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `PL-97 limits hold in streams`() throws {
        func failure(_ source: String, _ change: (inout XML.Options) -> Void = { _ in }) -> XMLError.Limit? {
            var options = XML.Options.streaming
            change(&options)
            do {
                try XML.Stream(of: "item", in: Data(source.utf8), options: options).forEach { _ in .more }
            } catch let error as XMLError {
                return error.limit
            } catch {}
            return nil
        }
        #expect(failure(Hostile.billionLaughs) == .entityExpansion)
        #expect(failure(Hostile.quadratic) == .entityExpansion)
        #expect(failure(Hostile.deep) == .depth)
        #expect(failure(Hostile.attributes(2_000)) == .attributes)
        #expect(failure(Hostile.attributes(20_000)) == .attributes)
        #expect(failure(recordsSource(100)) { $0.maximumSize = 1_000 } == .size)
        let big = "<a><item>" + String(repeating: "<b>x</b>", count: 50_000) + "</item></a>"
        #expect(failure(big) { $0.maximumRecordSize = 100_000 } == .recordSize)
        #expect(failure("<r><\(String(repeating: "b", count: 20_000))/></r>") == .nameLength)
        // Every record would get them all.
        let spaces = (0..<5).map { level in
            "<a" + (0..<900).map { " xmlns:n\(level)x\($0)='u'" }.joined() + ">"
        }
        #expect(failure(spaces.joined() + "<item/>") == .attributes)
    }

    @Test func `a record can be queried`() throws {
        let stream = XML.Stream(of: "item", in: Data(recordsSource(3).utf8))
        let titles = try records(stream).map { try $0.query(.string("title")) }
        #expect(titles == ["Nr 0 & ü", "Nr 1 & ü", "Nr 2 & ü"])
        let first = try #require(try records(stream).first)
        #expect(first.parent == nil && first.nextSibling == nil && first.previousSibling == nil)
        #expect(try first.query(.first("/item/title")) == first.first("title"))
        #expect(try first.query(.number("count(//item)")) == 1)
    }

    @Test func `PL-98 encodings that are cut within a character`() throws {
        let source = "<list><item>ä€😀</item></list>"
        let wide: [UInt8] =
            [0xFF, 0xFE] + source.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] as [UInt8] }
        for bytes in [Array(source.utf8), wide] {
            let parser = XML.RecordParser(of: "item")
            var texts: [String] = []
            for byte in bytes { texts += try parser.feed([byte]).map(\.text) }
            texts += try parser.finish().map(\.text)
            #expect(texts == ["ä€😀"])
        }
    }
}

final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count - 1
        }
    }
}
