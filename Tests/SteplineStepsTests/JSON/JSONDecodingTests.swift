import Foundation
import Stepline
import Testing

private struct City: Codable, Hashable {
    var name: String
    var degrees: Double
}

@Suite("JSON steps: decoding and encoding", .timeLimit(.minutes(5)))
struct JSONDecodingTests {
    private static let text = #"{"results": [{"name": "Oslo", "degrees": -3.5}, {"name": 7}]}"#

    @Test("PL-91: a wrong shape is a decoding error with its coding path")
    func wrongShape() async throws {
        let (cause, left) = try await JSONDecodeStep<[String: [City]]>().failure(on: bag(Self.text))
        guard case .typeMismatch(_, let context) = cause as? DecodingError else {
            throw Unexpected(text: "\(cause)")
        }
        #expect(context.codingPath.map(\.stringValue) == ["results", "Index 1", "name"])
        #expect(left.bodyObject == nil)
    }

    @Test("PL-91: the error of a pipeline has the place of a wrong shape as a JSON Pointer")
    func placeInText() async throws {
        let pipeline = Pipeline("feed") {
            BlockStep { () in Data(Self.text.utf8) }
            JSONDecodeStep<[String: [City]]>()
        }
        let text = "\(await pipeline.outcome())"
        #expect(text.contains("failed: /results/1/name: Expected to decode String"), "\(text)")
    }

    @Test("PL-93: the value at a pointer or path is decoded, by copies too")
    func places() async throws {
        for path in ["/results/0", "$.results[0]", "$.results[?@.degrees < 0]"] {
            let step = JSONDecodeStep<City>(at: path)
            #expect(try await step.copysOutput(of: bag(Self.text)) == City(name: "Oslo", degrees: -3.5))
        }
        let (cause, _) = try await JSONDecodeStep<City>(at: "/results/7").failure(on: bag(Self.text))
        #expect((cause as? JSONError)?.code == .notFound)
    }

    @Test("PL-93: strategies give what Foundation's decoder gives")
    func strategies() async throws {
        struct Mixed: Codable, Equatable {
            var theDate: Date, someData: Data, oddNumber: Double
        }
        let text = #"{"the_date": "2024-02-29T12:30:15Z", "some_data": "aGk=", "odd_number": "inf"}"#
        var ours = JSON.Decoder()
        ours.dateDecodingStrategy = .iso8601
        ours.keyDecodingStrategy = .convertFromSnakeCase
        ours.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let theirs = JSONDecoder()
        theirs.dateDecodingStrategy = ours.dateDecodingStrategy
        theirs.keyDecodingStrategy = ours.keyDecodingStrategy
        theirs.nonConformingFloatDecodingStrategy = ours.nonConformingFloatDecodingStrategy
        let mixed = try await JSONDecodeStep<Mixed>(decoder: ours).copysOutput(of: bag(text))
        #expect(try mixed == theirs.decode(Mixed.self, from: Data(text.utf8)))
        #expect(mixed.oddNumber == .infinity && mixed.someData == Data("hi".utf8))
    }

    @Test("PL-93: encoding gives bytes that decode again; what can't be encoded leaves the bag unchanged")
    func encoding() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let step = JSONEncodeStep<City>(encoder: encoder)
        encoder.outputFormatting = .prettyPrinted  // too late to matter
        var bag = Content()
        bag.bodyObject = City(name: "Oslo", degrees: 2)
        let data = try await step.copysOutput(of: bag)
        #expect(String(decoding: data, as: UTF8.self) == #"{"degrees":2,"name":"Oslo"}"#)

        bag.bodyObject = City(name: "", degrees: .nan)
        bag.bodyData = Data("before".utf8)
        let (cause, left) = try await JSONEncodeStep<City>().failure(on: bag)
        #expect(cause is EncodingError)
        #expect(left.bodyData == Data("before".utf8) && left.bodyObject as? City != nil)
    }

    @Test("PL-93: a document is encoded with its digits and order")
    func encodingDocuments() async throws {
        var bag = Content()
        let text = #"{"z":1.50,"a":123456789012345678901234567890}"#
        bag.bodyObject = try JSON(parsing: text)
        #expect(try await JSONEncodeStep<JSON>().output(of: bag) == Data(text.utf8))
        let sorted = JSONEncoder()
        sorted.outputFormatting = .sortedKeys
        let first = try await JSONEncodeStep<JSON>(encoder: sorted).copysOutput(of: bag).prefix(4)
        #expect(first == Data(#"{"a""#.utf8))
    }

    @Test("PL-31: the check finds malformed paths and queries, with their place")
    func checkedPaths() throws {
        let bag = try bag("[]")
        for step in [JSONDecodeStep<Int>(at: "$.a["), JSONDecodeStep<Int>(at: "a/b")] {
            #expect(try step.findings(bag).count == 1)
        }
        #expect(try JSONDecodeStep<Int>(at: "/a").findings(bag).isEmpty)
        #expect(try JSONDecodeStep<Int>().findings(bag).isEmpty)
        let found = try JSONQueryStep("$.a[?@.b ==]").findings()
        #expect(found.count == 1 && found[0].contains("column 12"), "\(found)")
    }

    @Test("A query's matches come in order; none are an empty list; a budget and copies hold")
    func queries() async throws {
        var bag = Content()
        bag.bodyObject = try JSON(parsing: Self.text)
        #expect(try await JSONQueryStep("$..name").copysOutput(of: bag) == ["Oslo", 7])
        #expect(try await JSONQueryStep("$.nothing").output(of: bag) == [])
        let (cause, _) = try await JSONQueryStep("$..*", budget: 3).failure(on: bag)
        #expect((cause as? JSONError)?.code == .tooLarge)
    }

    @Test("Typed builders know what is decoded")
    func builders() async throws {
        let text = Self.text
        try await Files.withFile(text) { file in
            let city = try await Pipeline.run {
                FileLoadStep(file)
                JSONDecodeStep<City>(at: "/results/0")
            }
            #expect(city == City(name: "Oslo", degrees: -3.5))
            let names = try await Pipeline.run {
                FileLoadStep(file)
                JSONParseStep()
                JSONQueryStep("$.results[*].name")
            }
            #expect(names == ["Oslo", 7])
            let bytes = try await Pipeline.run {
                FileLoadStep(file)
                JSONDecodeStep<City>(at: "/results/0")
                JSONEncodeStep<City>()
            }
            #expect(try JSON(parsing: bytes)["name"] == "Oslo")
        }
    }
}
