import Foundation
import Stepline
import Testing

@Suite("JSON steps: parsing", .timeLimit(.minutes(5)))
struct JSONParsingTests {
    @Test("PL-89: bytes become a document or objects under bodyObject, and stay in the bag")
    func bodies() async throws {
        let text = #"{"a": [1, "x", null]}"#
        for step in [JSONParseStep(), JSONObjectStep(), JSONDecodeStep<[String: JSON]>()] as [any Step] {
            let pipeline = Pipeline(content: try bag(text))
            try pipeline.addStep(step)
            let content = try await pipeline.run()
            #expect(content.bodyData == Data(text.utf8))
            #expect(content.bodyObject != nil)
            #expect(content.names.sorted() == ["bodyData", "bodyObject"])
        }
        let objects = try await JSONObjectStep().output(of: bag(text))
        let tree = try #require(objects as? [String: Any])
        let list = try #require(tree["a"] as? [Any])
        #expect(list[0] as? Int == 1 && list[1] as? String == "x" && list[2] is NSNull)
    }

    @Test("PL-89: fragments are refused by the object step unless allowed, and taken by the others")
    func fragments() async throws {
        let error = try await JSONObjectStep().failure(on: bag("17")).error as? JSONError
        #expect(error?.code == .fragment)
        let open = JSONObjectStep(options: .init(allowsFragments: true))
        #expect(try await open.output(of: bag("17")) as? Int == 17)
        #expect(try await JSONParseStep().output(of: bag("17")).int == 17)
        #expect(try await JSONDecodeStep<Int>().output(of: bag("17")) == 17)
        let closed = JSONParseStep(options: .init(allowsFragments: false))
        #expect(try await (closed.failure(on: bag("17")).error as? JSONError)?.code == .fragment)
    }

    @Test("PL-90: empty data and a top null are nil, null, or an error of a type that isn't Optional")
    func emptyData() async throws {
        #expect(try await JSONObjectStep().output(of: bag("")) == nil)
        #expect(try await JSONParseStep().output(of: bag("")) == .null)
        let error = try await JSONDecodeStep<[Int]>().failure(on: bag("")).error as? JSONError
        #expect(error?.code == .empty)
        #expect(try await JSONDecodeStep<[Int]?>().output(of: bag("")) == nil)
        #expect(try await (JSONDecodeStep<JSON>().failure(on: bag("")).error as? JSONError)?.code == .empty)
        #expect(try await JSONDecodeStep<[Int]?>().output(of: bag("null")) == nil)
        #expect(try await JSONDecodeStep<[Int]?>().output(of: bag("[1]")) == [1])
        let step = JSONObjectStep(options: .init(allowsFragments: true))
        #expect(try await step.output(of: bag("null")) == nil)
        #expect(try await (JSONParseStep().failure(on: bag(" ")).error as? JSONError)?.code == .empty)
    }

    @Test("PL-90: absent bytes are a missing input")
    func absentBytes() async throws {
        for step in [JSONParseStep(), JSONObjectStep(), JSONDecodeStep<Int>(), JSONLinesStep<Int>()]
            as [any Step]
        {
            let pipeline = Pipeline()
            try pipeline.addStep(step)
            #expect(pipeline.check().map(\.code) == [.missingInput])
            await #expect(throws: PipelineError.self) { try await pipeline.run() }
        }
    }

    @Test(
        "PL-91: malformed text is an error with its place, and nothing is stored",
        arguments: [
            (#"{"a": 1,}"#, JSONError.Code.unexpectedCharacter, 8), ("[1] x", .trailingText, 4),
            ("[\"\\ud800\"]", .loneSurrogate, 2), ("[1", .unexpectedEnd, 2),
        ])
    func malformed(_ text: String, _ code: JSONError.Code, _ offset: Int) async throws {
        for step in [JSONParseStep(), JSONObjectStep(), JSONDecodeStep<JSON>()] as [any TypedStep] {
            let (cause, left) = try await step.failure(on: bag(text))
            let error = try #require(cause as? JSONError)
            #expect((error.code, error.byteOffset) == (code, offset), "\(error)")
            #expect((error.line, error.column) == (1, offset + 1))
            #expect(left.bodyObject == nil && left.bodyData == Data(text.utf8))
        }
    }

    @Test("PL-91: bad UTF-8 is an error with its line")
    func badBytes() async throws {
        let (cause, _) = try await JSONParseStep().failure(on: bag(Data("[\n\"".utf8) + [0xFF, 0x22, 0x5D]))
        let error = try #require(cause as? JSONError)
        #expect(error.code == .invalidUTF8)
        #expect((error.byteOffset, error.line, error.column) == (3, 2, 2))
    }

    @Test("PL-92: depth and size are limited, and options of every step")
    func limits() async throws {
        let deep = String(repeating: "[", count: 100_000)
        let tight = JSON.Options(maximumDepth: 2, maximumSize: 20)
        var decoder = JSON.Decoder()
        decoder.options = tight
        let steps: [(any TypedStep, any TypedStep)] = [
            (JSONParseStep(), JSONParseStep(options: tight)),
            (JSONObjectStep(), JSONObjectStep(options: tight)),
            (JSONDecodeStep<JSON>(), JSONDecodeStep<JSON>(decoder: decoder)),
        ]
        for (usual, tight) in steps {
            #expect(try await (usual.failure(on: bag(deep)).error as? JSONError)?.code == .tooDeep)
            let copy = try #require(try tight.makeCopy() as? any TypedStep)
            #expect(try await (tight.failure(on: bag("[[[]]]")).error as? JSONError)?.code == .tooDeep)
            let long = "[\"0123456789012345678\"]"
            #expect(try await (copy.failure(on: bag(long)).error as? JSONError)?.code == .tooLarge)
        }
        // Deeper than Foundation's objects can be freed.
        let deepest = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        let step = JSONObjectStep(options: .init(maximumDepth: 10_000))
        #expect(try await (step.failure(on: bag(deepest)).error as? JSONError)?.code == .tooDeep)
    }

    @Test(
        "PL-92: UTF-8, UTF-16 and UTF-32 are read, with a mark or without",
        arguments: [
            String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ])
    func encodings(_ encoding: String.Encoding) async throws {
        for mark in ["", "\u{FEFF}"] {
            let data = try #require((mark + #"{"ü": "€𝄞"}"#).data(using: encoding))
            #expect(try await JSONParseStep().output(of: bag(data))["ü"]?.string == "€𝄞")
            #expect(try await JSONDecodeStep<[String: String]>().output(of: bag(data)) == ["ü": "€𝄞"])
        }
    }

    @Test("PL-92: integers of 64 bits are exact, and documents and decimals keep every digit")
    func digits() async throws {
        let text = "[-9223372036854775808, 18446744073709551615, 0.1234567890123456789012345678901234567]"
        let json = try await JSONParseStep().output(of: bag(text))
        #expect(json[0]?.integer(as: Int64.self) == .min && json[1]?.integer(as: UInt64.self) == .max)
        #expect(json.description == text.replacing(" ", with: ""))
        let objects = try await JSONObjectStep().output(of: bag(text)) as? [Any]
        #expect(objects?[0] as? Int64 == .min && objects?[1] as? UInt64 == .max)
        let decimals = try await JSONDecodeStep<[Decimal]>().output(of: bag(text))
        #expect("\(decimals[2])" == "0.1234567890123456789012345678901234567")
        #expect(try await JSONDecodeStep<UInt64>(at: "/1").output(of: bag(text)) == .max)
    }

    @Test("PL-92: of duplicate keys the last wins in every step, or it is an error if asked")
    func duplicates() async throws {
        let text = #"{"a": 1, "b": 2, "a": 3}"#
        #expect(try await JSONParseStep().output(of: bag(text))["a"]?.int == 3)
        #expect((try await JSONObjectStep().output(of: bag(text)) as? [String: Any])?["a"] as? Int == 3)
        #expect(try await JSONDecodeStep<[String: Int]>().output(of: bag(text)) == ["a": 3, "b": 2])
        let strict = JSON.Options(allowsDuplicateKeys: false)
        for step in [
            JSONParseStep(options: strict), JSONObjectStep(options: strict),
            JSONDecodeStep<JSON>(decoder: .init(options: strict)),
        ] as [any TypedStep] {
            let error = try await step.failure(on: bag(text)).error as? JSONError
            #expect(error?.code == .duplicateKey && error?.byteOffset == 17, "\(error as Any)")
        }
    }
}
