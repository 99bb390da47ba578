import Foundation
import Stepline
import SteplinePipeline
import SteplineTesting
import Testing

@Suite("Content", .timeLimit(.minutes(5)))
struct ContentTests {
    private struct City: Sendable, Equatable { var name = "Ulm" }

    private final class Thing: Sendable {}

    @Test("PL-1: a missing key reads nil, storing nil removes the entry")
    func missingAndRemoved() {
        let count = ContentKey<Int>("count")
        var content = Content()
        #expect(content[count] == nil)
        #expect(content["count"] == nil)
        #expect(content.bodyData == nil)
        #expect(content.bodyObject == nil)
        content[count] = 3
        content["other"] = "text"
        content.bodyData = Data([1])
        content.bodyObject = 5
        #expect(Set(content.names) == ["bodyData", "bodyObject", "count", "other"])
        content[count] = nil
        content["other"] = nil
        content.bodyData = nil
        content.bodyObject = nil
        #expect(content.names.isEmpty)
        #expect(content[count] == nil)
    }

    @Test("a deferred entry is created when it is read, and like any other entry replaced and removed")
    func deferred() throws {
        let key = ContentKey<City>("city"), made = Recorder<Void>()
        var content = Content()
        content.setDeferred(key) {
            made.record(())
            return City(name: "Bonn")
        }
        let copy = content
        #expect(content.names == ["city"] && made.count == 0)
        #expect(content[key] == City(name: "Bonn") && content["city"] as? City == City(name: "Bonn"))
        #expect(try content.value(for: key) == City(name: "Bonn") && made.count == 3)
        #expect(throws: PipelineError.self) { try content.value(for: ContentKey<Int>("city")) }
        #expect(content.description.contains("Bonn"))
        content[key] = City()
        #expect(content[key] == City() && copy[key] == City(name: "Bonn"))
        content[key] = nil
        #expect(content.names.isEmpty)
        content.setDeferred(.bodyData) { Data([1]) }
        #expect(content.bodyData == Data([1]))
    }

    @Test("PL-1: any Sendable can be stored")
    func anySendable() {
        let thing = Thing()
        var content = Content()
        content["struct"] = City()
        content["class"] = thing
        content["closure"] = { @Sendable in 7 }
        content["tuple"] = (1, "a")
        content["list"] = [1, 2]
        #expect(content["struct"] as? City == City())
        #expect(content["class"] as? Thing === thing)
        #expect((content["closure"] as? @Sendable () -> Int)?() == 7)
        #expect((content["tuple"] as? (Int, String))?.1 == "a")
        #expect(content["list"] as? [Int] == [1, 2])
    }

    @Test("PL-1: both bodies may be present and are plain entries of those names")
    func bodies() {
        var content = Content()
        content["bodyData"] = Data([1, 2])
        content["bodyObject"] = "object"
        #expect(content.bodyData == Data([1, 2]))
        #expect(content.bodyObject as? String == "object")
        #expect(content[.bodyData] == Data([1, 2]))
        #expect(content[ContentKey<String>.bodyObject] == "object")
        #expect(content[ContentKey<Data>("bodyData")] == Data([1, 2]))
        content.bodyData = Data([3])
        content.bodyObject = 4
        #expect(content["bodyData"] as? Data == Data([3]))
        #expect(content["bodyObject"] as? Int == 4)
    }

    @Test(
        "PL-1, PL-3: another type under the name of the bytes is stored, and reads as a type mismatch")
    func bytesOfAnotherType() {
        var content = Content()
        content["bodyData"] = "text"
        #expect(content["bodyData"] as? String == "text")
        #expect(content.bodyData == nil)
        #expect(content.names == ["bodyData"])
        #expect(pipelineError { _ = try content.value(for: .bodyData) }?.code == .typeMismatch)
        content.bodyData = Data([1])
        content.bodyData = nil
        #expect(content["bodyData"] == nil)
    }

    @Test("PL-2: a change to one copy shows in no other")
    func valueSemantics() {
        var first = Content()
        first.bodyData = Data([1])
        first["name"] = "first"
        var second = first
        second["name"] = "second"
        second.bodyData?.append(2)
        second.bodyObject = 9
        #expect(first["name"] as? String == "first")
        #expect(first.bodyData == Data([1]))
        #expect(first.bodyObject == nil)
        #expect(second["name"] as? String == "second")
        #expect(second.bodyData == Data([1, 2]))
    }

    @Test("PL-2: copies can be changed on many threads at once, each for itself")
    func manyThreads() {
        var original = Content()
        original["number"] = -1
        original.bodyData = Data(count: 100)
        let start = original
        let results = Recorder<(Int, Int?, Int?)>()
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            var mine = start
            mine["number"] = index
            mine.bodyData?.append(UInt8(index))
            results.record((index, mine["number"] as? Int, mine.bodyData.map { Int($0[100]) }))
        }
        #expect(results.count == 200)
        #expect(results.values.allSatisfy { $0.0 == $0.1 && $0.0 == $0.2 })
        #expect(original["number"] as? Int == -1)
        #expect(original.bodyData == Data(count: 100))
    }

    @Test("PL-2: passing a bag on copies nothing, not even the bytes when another entry is written")
    func sharing() async throws {
        let addresses = Recorder<UInt>()
        @Sendable func note(_ content: Content) {
            let address = content.bodyData?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            addresses.record(address ?? 0)
        }
        var content = Content()
        content.bodyData = Data(repeating: 7, count: 1 << 20)
        note(content)
        let bag = content
        let pipeline = try makePipeline(
            [
                BlockStep<Content, Content>(from: .content, to: .content) { bag in
                    note(bag)
                    var changed = bag
                    changed["more"] = 1
                    return changed
                },
                plain(),
                BlockStep<Content, Void>(from: .content, to: .nothing) { bag in note(bag) },
            ], content: bag)
        try await pipeline.run()
        note(try #require(pipeline.content))
        #expect(addresses.count == 4)
        #expect(Set(addresses.values).count == 1)
        #expect(addresses.values.first != 0)
    }

    @Test("PL-2: stored bytes don't change when the caller changes its own")
    func bytesStay() {
        let buffer = NSMutableData(data: Data([1, 2, 3]))
        var bytes = Data([4, 5, 6])
        var content = Content()
        content.bodyData = bytes
        content["buffer"] = Data(referencing: buffer)
        bytes[0] = 99
        buffer.resetBytes(in: NSRange(location: 0, length: 3))
        #expect(content.bodyData == Data([4, 5, 6]))
        #expect(content["buffer"] as? Data == Data([1, 2, 3]))
    }

    @Test("PL-6: the HTTP response is the response entry, if it is one of HTTP")
    func httpResponse() throws {
        let url = try #require(URL(string: "http://example.org/"))
        var content = Content()
        #expect(content.httpURLResponse == nil)
        content[.urlResponse] = makeResponse(url, status: nil)
        #expect(content[.urlResponse] != nil)
        #expect(content.httpURLResponse == nil)
        let response = makeResponse(url, status: 204)
        content[.urlResponse] = response
        #expect(content.httpURLResponse != nil)
        #expect(content.httpURLResponse === response)
        #expect(content["urlResponse"] != nil)
    }

    @Test("PL-6, PL-14: by default bytes are bodyData, all else bodyObject, and other keys pass through")
    func unknownKeys() async throws {
        var content = Content()
        content["mine"] = 42
        content.bodyObject = "text"
        let pipeline = try makePipeline(
            [
                BlockStep { (text: String) in text.count },
                BlockStep { (count: Int?) async in Data(count: count ?? 0) },
                BlockStep { (data: Data) in data.count + 1 },
                plain(),
            ], content: content)
        try await pipeline.run()
        let end = try #require(pipeline.content)
        #expect(end["mine"] as? Int == 42)
        #expect(end.bodyObject as? Int == 5)
        #expect(end.bodyData == Data(count: 4))
    }

    @Test("PL-7: the description gives each entry one line: name, type and short form, data as a byte count")
    func description() throws {
        var content = Content()
        content.bodyData = Data(repeating: 65, count: 12345)
        content.bodyObject = City()
        content["count"] = 17
        content["long"] = String(repeating: "long text ", count: 1000)
        content["list"] = Array(repeating: "item", count: 5000)
        content["tall\nname"] = Tall()
        content[String(repeating: "n", count: 5000)] = 1
        let lines = "\(content)".split(separator: "\n").map(String.init)
        let expected = [
            "bodyData": ["Data", "12345"], "bodyObject": ["City", "Ulm"], "count": ["Int", "17"],
            "long": ["String", "long text"], "list": ["Array"], "tall": ["Tall"],
        ]
        for (name, parts) in expected {
            let line = lines.first { $0.contains(name) } ?? ""
            #expect(parts.allSatisfy { line.contains($0) }, "\(line)")
        }
        #expect(lines.count == 8)
        for line in lines { #expect(line.count <= 202, "\(line.prefix(40))") }
    }

    private struct Tall: CustomStringConvertible {
        var description: String { "one\ntwo\r\nthree" }
    }
}
