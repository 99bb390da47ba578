import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

@Suite("XML steps: records", .timeLimit(.minutes(5)))
struct XMLRecordsStepTests {
    private static let text =
        "<r>\n<i>1</i>\n<i>2</i>\n<x><i>3</i></x>\n<i>4</i></r>"

    @Test("PL-102: records come in order, nil skips, copies do alike")
    func order() async throws {
        let step = XMLRecordsStep(of: "i") { record in record.text == "2" ? nil : record.text }
        #expect(try await step.copysOutput(of: bag(Self.text)) == ["1", "3", "4"])
        let rooted = XMLRecordsStep(of: "/r/i") { $0.text }
        #expect(try await rooted.copysOutput(of: bag(Self.text)) == ["1", "2", "4"])
        let spaced = XMLRecordsStep(of: "n:i", namespaces: ["n": "urn:n"]) { $0.text }
        #expect(try await spaced.copysOutput(of: bag("<r xmlns='urn:n'><i>1</i></r>")) == ["1"])
    }

    @Test("PL-102: a throw ends the step with the record's number and line")
    func failing() async throws {
        struct Bad: Error {}
        let step = XMLRecordsStep(of: "i") { record in
            if record.text == "3" { throw Bad() }
            return record.text
        }
        let (cause, left) = try await step.failure(on: bag(Self.text))
        let error = try #require(cause as? XMLError)
        #expect(error.code == .record && error.recordsRead == 3 && error.line == 4, "\(error)")
        #expect(error.underlying is Bad && left.bodyObject == nil)
    }

    @Test("PL-102: input cut off midway fails, telling how many records were read")
    func cutOff() async throws {
        let cut = String(Self.text.prefix(21))
        let error = try await XMLRecordsStep(of: "i") { $0.text }.failure(on: bag(cut)).error as? XMLError
        #expect(error?.code == .truncated && error?.recordsRead == 2, "\(error as Any)")
    }

    @Test("PL-102: cancellation is seen between records")
    func cancellation() async throws {
        let gate = Gate()
        let seen = Recorder<String>()
        let pipeline = Pipeline(content: try bag(Self.text))
        try pipeline.addStep(
            XMLEachRecordStep<Data>(of: "i") { record in
                seen.record(record.text)
                gate.block()
            })
        try pipeline.start()
        await seen.waitForCount(1)
        pipeline.cancel()
        gate.open()
        guard case .cancelled = await pipeline.outcome() else { throw Unexpected(text: "\(pipeline)") }
        #expect(seen.values == ["1"])
    }

    @Test("PL-102: files are read from a URL given, or one that a step before made; a variant counts")
    func files() async throws {
        try await Files.withFile(Self.text) { file in
            let given = try await Pipeline.run { XMLRecordsStep(file, of: "i") { $0.text } }
            #expect(given == ["1", "2", "3", "4"])
            let made = try await Pipeline.run {
                BlockStep { file }
                XMLRecordsStep(ofFile: "i") { $0.text }
            }
            #expect(made == given)
            let seen = Recorder<String>()
            let count = try await Pipeline.run {
                XMLEachRecordStep(file, of: "i") { seen.record($0.text) }
            }
            #expect(count == 4 && seen.values == given)
            let later = try await Pipeline.run {
                BlockStep { file }
                XMLEachRecordStep(ofFile: "i") { seen.record($0.text) }
            }
            #expect(later == 4 && seen.count == 8)
            let copy = XMLRecordsStep(file, of: "i") { $0.text }
            #expect(try await copy.copysOutput(of: Content()) == given)
        }
    }

    @Test("PL-31: a URL of something else than a file is found at the check, or fails if it comes later")
    func notFiles() async throws {
        let url = try #require(URL(string: "https://a.example/x.xml"))
        #expect(try XMLRecordsStep(url, of: "i") { $0.text }.findings().count == 1)
        #expect(try XMLEachRecordStep(url, of: "i") { _ in }.findings().count == 1)
        var bag = Content()
        bag.bodyObject = url
        let (cause, _) = try await XMLRecordsStep(ofFile: "i") { $0.text }.failure(on: bag)
        #expect((cause as? FileError)?.code == .notFileURL)
        bag.bodyObject = Files.fixtures.appending(path: "xml/none.xml")
        let missing = try await XMLEachRecordStep(ofFile: "i") { _ in }.failure(on: bag).error
        #expect((missing as? XMLError)?.code == .unreadable)
    }

    #if os(Linux)
        // In a process of its own, where nobody else's memory comes and goes; the sanitizers keep what is freed.
        @Test(
            "PL-102: from a file, memory doesn't depend on its length", .soakOnly,
            .enabled(if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil))
        func constantMemory() async {
            await #expect(processExitsWith: .success) {
                _ = try await XMLRecordsStepTests.growth(records: 8_000)
                #expect(try await XMLRecordsStepTests.growth(records: 40_000) < 16 << 20)
            }
        }

        /// By how much the process grows while it reads so many records from a file.
        private static func growth(records count: Int) async throws -> Int {
            let item = "<i>" + String(repeating: "0123456789", count: 100) + "</i>\n"
            return try await Files.withFile("<r>" + String(repeating: item, count: count) + "</r>") { file in
                let before = try residentBytes()
                let peak = Recorder<Int>()
                let read = try await Pipeline.run {
                    XMLEachRecordStep(file, of: "i") { record in
                        if record.line % 4_000 == 0 { peak.record(try residentBytes()) }
                    }
                }
                #expect(read == count)
                return (peak.values.max() ?? before) - before
            }
        }

        private static func residentBytes() throws -> Int {
            let line = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(line[1])) * 4096
        }
    #endif
}
