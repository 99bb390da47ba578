import Foundation
import Stepline
import SteplineTesting
import Testing

extension ContentKey where Value == Int { fileprivate static var count: Self { .init("count") } }

extension ContentKey where Value == String? { fileprivate static var note: Self { .init("note") } }

@Suite("Content keys", .timeLimit(.minutes(5)))
struct ContentKeyTests {
    private class Animal: @unchecked Sendable {}
    private final class Dog: Animal, @unchecked Sendable {}

    /// As large as an existential.
    private struct Wide: Sendable { var numbers: (Int, Int, Int, Int) }

    @Test("PL-3: an absent entry, or one of another type, reads as nil; a subclass has its superclass's type")
    func typedRead() {
        var content = Content()
        let text = ContentKey<String>("entry")
        #expect(content[text] == nil)
        content["entry"] = 5
        #expect(content[text] == nil)
        #expect(content[ContentKey<Int>("entry")] == 5)
        content.bodyObject = "text"
        #expect(content[ContentKey<Int>.bodyObject] == nil)
        #expect(content[ContentKey<String>.bodyObject] == "text")
        content["animal"] = Dog()
        #expect(content[ContentKey<Animal>("animal")] != nil)
        content["animal"] = Animal()
        #expect(content[ContentKey<Dog>("animal")] == nil)
    }

    @Test("PL-3: value(for:) names the key, the type wanted and the type found")
    func typedErrors() throws {
        var content = Content()
        let absent = try #require(pipelineError { _ = try content.value(for: .count) })
        #expect(absent.code == .missingInput)
        #expect("\(absent)".contains("\"count\""))
        #expect("\(absent)".contains("Int"))
        #expect(absent.inputs.map(\.name) == ["count"])
        content["count"] = "three"
        let mismatch = try #require(pipelineError { _ = try content.value(for: .count) })
        #expect(mismatch.code == .typeMismatch)
        for part in ["\"count\"", "Int", "String"] { #expect("\(mismatch)".contains(part)) }
        content["count"] = 3
        #expect(try content.value(for: .count) == 3)
        let bytes = try #require(pipelineError { _ = try content.value(for: .bodyData) })
        #expect(bytes.code == .missingInput)
        #expect("\(bytes)".contains("\"bodyData\""))
    }

    @Test("PL-4: a user's key is one line, used as .count, and open by its name")
    func ownKey() async throws {
        var content = Content()
        content[.count] = 3
        #expect(content["count"] as? Int == 3)
        content["count"] = 4
        #expect(content[.count] == 4)
        #expect(content.names == ["count"])
        let pipeline = try makePipeline(
            [BlockStep(from: .count, to: .count) { number in number + 1 }], content: content)
        #expect(try await pipeline.run(returning: .count) == 5)
    }

    @Test("PL-4: keys are equal by name and type")
    func equality() {
        #expect(ContentKey<Int>("a") == ContentKey<Int>("a"))
        #expect(ContentKey<Int>("a") != ContentKey<Int>("b"))
        #expect(Set([ContentKey<Int>.count, .count, .init("other")]).count == 2)
        #expect(ContentKey<Int>("a").erased != ContentKey<String>("a").erased)
        #expect(ContentKey<Int>("a").erased == ContentKey<Int>("a").erased)
    }

    @Test("PL-5: an absent entry under an optional key reads as nil, and writing nil removes it")
    func optionalKey() throws {
        var content = Content()
        #expect(try content.value(for: .note) == nil)
        content["note"] = "hello"
        #expect(try content.value(for: .note) == "hello")
        content[.note] = .some(nil)
        #expect(content.names.isEmpty)
        content[.note] = "again"
        #expect(content["note"] as? String == "again")
        content[.note] = nil
        #expect(content.names.isEmpty)
        content["note"] = 5
        #expect(pipelineError { _ = try content.value(for: .note) }?.code == .typeMismatch)
    }

    @Test("PL-5: a nil in disguise is no entry")
    func nestedNil() {
        var content = Content()
        content["note"] = String?.none
        #expect(content.names.isEmpty)
        content.bodyObject = Int?.none
        #expect(content.names.isEmpty)
        content["note"] = String??.some(.none)
        #expect(content.names.isEmpty)
        content["note"] = String??("deep")
        #expect(content["note"] as? String == "deep")
        let wide = Wide(numbers: (1, 2, 3, 4))
        content.bodyObject = Wide?.some(wide)
        #expect((content.bodyObject as? Wide)?.numbers.3 == 4)
    }

    @Test(
        "PL-5: a writer of T satisfies a reader of T?, and an absent value reads as nil",
        arguments: [true, false])
    func optionalReader(isWritten: Bool) async throws {
        let seen = Recorder<String?>()
        let note = ContentKey<String>("note")
        var steps: [any Step] = [
            BlockStep(from: .note, to: .nothing) { (text: String?) in seen.record(text) }
        ]
        if isWritten { steps.insert(BlockStep(to: note) { "written" }, at: 0) }
        try await makePipeline(steps).run()
        #expect(seen.values == [isWritten ? "written" : nil])
    }

    @Test("PL-14: .body selects the default key of a type")
    func bodyKeys() {
        #expect(ContentKey<Data>.body == .bodyData)
        #expect(ContentKey<Content>.body == .content)
        #expect(ContentKey<Void>.body == .nothing)
        #expect(ContentKey<Int>.body == .bodyObject)
        let names = [ContentKey<Data?>.body.name, ContentKey<Int?>.body.name, ContentKey<Content?>.body.name]
        #expect(names == ["bodyData", "bodyObject", "content"])
    }
}
