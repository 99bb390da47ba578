import Foundation
import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct BuildingTests {
    @Test func `literals build documents, members in order, of equal keys the last one`() {
        let name = "Ann \"A\"\n"
        let json: JSON = [
            "a": 0, "z": 1, "a": [true, nil, 2.5, "x\(1)"], "n": JSON(name), "o": [:], "l": [],
        ]
        #expect(json.description == #"{"z":1,"a":[true,null,2.5,"x1"],"n":"Ann \"A\"\n","o":{},"l":[]}"#)
        #expect(json["n"]?.string == name)
    }

    @Test func `values of a document are built into another`() throws {
        let source = try JSON(parsing: #"{"a":[1.50,"\u0041",{"b":null}]}"#)
        let json: JSON = ["copy": try #require(source["a"]), "copy again": try #require(source["a"]?[2])]
        #expect(json.description == #"{"copy":[1.50,"\u0041",{"b":null}],"copy again":{"b":null}}"#)
    }

    @Test func `numbers are built with all their digits`() throws {
        #expect(JSON(UInt64.max).description == "18446744073709551615")
        #expect(JSON(0.1).description == "0.1")
        #expect(JSON(1e300).double == 1e300)
        #expect(JSON(Double.nan).isNull && JSON(Double.infinity).isNull)
        let decimal = try #require(Decimal(string: "1234567890.0987654321"))
        #expect(JSON(decimal).literal == "1234567890.0987654321")
    }

    @Test func `controls are escaped`() throws {
        let text = String(String.UnicodeScalarView((0..<0x80).compactMap { Unicode.Scalar($0) }))
        let json = JSON(text)
        #expect(json.string == text)
        #expect(try JSON(parsing: json.data()).string == text)
    }

    @Test func `pretty and sorted text`() {
        let json: JSON = ["b": [1, [:]], "a": [], "c": ""]
        #expect(json.prettyPrinted == "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": [],\n  \"c\": \"\"\n}")
        let sorted = String(decoding: json.data(.init(sortsKeys: true)), as: UTF8.self)
        #expect(sorted == #"{"a":[],"b":[1,{}],"c":""}"#)
    }

    @Test func `encodable values become documents`() throws {
        struct Point: Encodable { let x: Int, y: [Double] }
        #expect(try JSON(encoding: Point(x: 1, y: [0.5])) == ["x": 1, "y": [0.5]])
        #expect(throws: EncodingError.self) { try JSON(encoding: Double.nan) }
    }

    @Test func `a document is codable by itself`() throws {
        let json: JSON = ["a": [1, 2.5, "x", nil, true], "b": ["c": JSON(UInt64.max)]]
        let data = try JSONEncoder().encode(json)
        #expect(try JSONDecoder().decode(JSON.self, from: data) == json)
        #expect(try JSON.Decoder().decode([String: JSON].self, from: data)["a"] == json["a"])
    }
}
