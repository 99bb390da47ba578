import Foundation
import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct WideIntegerTests {
    struct Wide: Codable, Equatable {
        var signed: Int128
        var unsigned: UInt128
        var maybe: Int128?
        var list: [Int128]
        var table: [String: UInt128]
    }

    static let edges: [Int128] = [
        .min, .min + 1, -(1 << 64) - 1, -(1 << 64), -(1 << 64) + 1, -(1 << 63) - 1, -(1 << 63), -1, 0, 1,
        (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64, .max - 1, .max,
    ]

    @Test(arguments: edges) func `PL-92 integers of 64 and 128 bits are exact up to their bounds`(
        _ number: Int128
    ) throws {
        let json = try JSON(parsing: "\(number)")
        #expect(json.integer(as: Int128.self) == number)
        #expect(try json.decode(Int128.self) == number)
        #expect(json.integer(as: Int64.self) == Int64(exactly: number))
        #expect(json.integer(as: UInt64.self) == UInt64(exactly: number))
        #expect(json.integer(as: UInt128.self) == UInt128(exactly: number))
        #expect(json.integer(as: Int8.self) == Int8(exactly: number))
        #expect(try JSON(parsing: "[\(number).0, \(number)e0]").decode([Int128].self) == [number, number])
    }

    @Test func `an integer beyond 128 bits is an error`() throws {
        #expect(try JSON(parsing: "170141183460469231731687303715884105728").integer(as: Int128.self) == nil)
        #expect(try JSON(parsing: "-170141183460469231731687303715884105729").integer(as: Int128.self) == nil)
        #expect(try JSON(parsing: "340282366920938463463374607431768211456").integer(as: UInt128.self) == nil)
        #expect(throws: DecodingError.self) {
            try JSON(parsing: "[340282366920938463463374607431768211456]").decode([UInt128].self)
        }
    }

    @Test(arguments: edges) func `they decode as properties, elements and values`(_ number: Int128) throws {
        let wide = Wide(
            signed: number, unsigned: UInt128(number.magnitude), maybe: number, list: [number, 7],
            table: ["a": UInt128(number.magnitude), "max": .max])
        let data = try JSONEncoder().encode(wide)
        #expect(try JSON.Decoder().decode(Wide.self, from: data) == wide)
        let json = try JSON(parsing: data)
        #expect(try JSON(encoding: json) == json)
        #expect(try JSONDecoder().decode(JSON.self, from: data) == json)
        let none = try JSON(parsing: #"{"signed":1,"unsigned":2,"maybe":null,"list":[],"table":{}}"#)
        #expect(try none.decode(Wide.self).maybe == nil)
    }
}
