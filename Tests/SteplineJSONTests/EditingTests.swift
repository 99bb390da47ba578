import Foundation
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineJSON

@Suite(.timeLimit(.minutes(5))) struct EditingTests {
    @Test func `members and elements are set where they stand, at any depth`() throws {
        var json = try JSON(parsing: #"{"a":{"b":1,"c":[1,{"d":2}]},"e":"x"}"#)
        json["a"]["b"] = 3
        json["a"]["c"][1]["d"] = "deep"
        json["a"]["c"][-2] = nil
        json["a"]["c"][1] = [true]
        json.e = 1.5
        json["new"]["in"]["it"] = .null
        json["list"][0][0] = "first"
        #expect(
            json.description
                == #"{"a":{"b":3,"c":[{"d":"deep"},[true]]},"e":1.5,"new":{"in":{"it":null}},"list":[["first"]]}"#
        )
        #expect(json == (try JSON(parsing: json.data())))
        #expect(json["a"]["c"][0]["d"]?.string == "deep")
        #expect(json["nothing"]["at"][3]["all"] == nil)
    }

    @Test func `editing a value leaves its copies as they were`() throws {
        let original = try JSON(parsing: #"{"a":[1,2],"b":{"c":1}}"#)
        var one = original
        one["a"][0] = 7
        var two = one
        two["a"][0] = 8
        two["b"]["c"] = nil
        let part = two["a"]
        two["a"][1] = 9
        #expect(original.description == #"{"a":[1,2],"b":{"c":1}}"#)
        #expect(one.description == #"{"a":[7,2],"b":{"c":1}}"#)
        #expect(two.description == #"{"a":[8,9],"b":{}}"#)
        #expect(part?.description == "[8,2]")
    }

    @Test func `append, insert and remove`() throws {
        var json: JSON = ["list": [1], "text": "x"]
        try json["list"].append(2)
        try json["made"].append("first")
        try json["list"]?.insert(0, at: 0)
        try json["list"]?.insert(3, at: 3)
        try json["list"]?.insert(9, at: -1)
        #expect(json["list"]?.description == "[0,1,2,9,3]")
        #expect(json["list"]?.remove(at: -2) == 9 && json["list"]?.remove(at: 7) == nil)
        #expect(json.remove("text") == "x" && json.remove("text") == nil)
        #expect(json.description == #"{"list":[0,1,2,3],"made":["first"]}"#)
        let wrong = #expect(throws: JSONError.self) {
            var text: JSON = "x"
            try text.append(1)
        }
        #expect(wrong?.code == .wrongKind)
        let far = #expect(throws: JSONError.self) { try json["list"]?.insert(1, at: 9) }
        #expect(far?.code == .notFound)
    }

    @Test func `a value that can't be set stays as it is`() throws {
        var json: JSON = ["n": 1, "list": [1, 2]]
        let before = json
        json["n"]["a"] = 1
        json["n"][0] = 1
        json["list"]["a"] = 1
        json["list"][5] = 1
        json["list"][-3] = 1
        json["absent"]["a"] = nil
        json["list"][Int.min] = nil
        #expect(json["n"] == 1 && json["list"] == [1, 2])
        #expect(before.description == #"{"n":1,"list":[1,2]}"#)
        json["list"][2] = 3
        #expect(json["list"] == [1, 2, 3])
    }

    @Test func `all accessors of an edited value return the edited contents`() throws {
        struct Row: Decodable, Equatable { var id: Int, tags: [String] }
        var json = try JSON(parsing: #"{"rows":[{"id":1,"tags":[]},{"id":2,"tags":["a"]}]}"#)
        json["rows"][0]["tags"] = ["x", "y\n"]
        try json["rows"].append(["id": 3, "tags": ["é"]])
        #expect(try json.decode([Row].self, at: "/rows").map(\.tags) == [["x", "y\n"], ["a"], ["é"]])
        #expect(try json.query("$.rows[?@.id > 1].tags[0]") == ["a", "é"])
        #expect(try json.query("$..tags[0]") == ["x", "a", "é"])
        #expect(json.hashValue == (try JSON(parsing: json.description)).hashValue)
        #expect(json["rows"]?.elements.map { $0.count } == [2, 2, 2])
        #expect(json.members.map(\.key) == ["rows"] && json["rows"]?.count == 3)
        #expect((json.foundationObject as? [String: Any])?["rows"] is [Any])
        #expect(try JSON(encoding: json) == json)
        #expect(json[try JSONPointer("/rows/2/id")] == 3)
        #expect(try JSON(elements: [json, json]).count == 2)
        #expect(try json.query("$.rows[2].id") == [3])
    }

    @Test func `untouched parts are not copied`() throws {
        let json = try JSON(parsing: #"{"big":[[1,2,3],[4]],"small":{"n":1}}"#)
        var edited = json
        edited["small"]["n"] = 2
        let part = try #require(edited["big"])
        #expect(part.storage === json.storage)
        edited["big"][1] = nil
        #expect(try #require(edited["big"][0]).storage === json.storage)
    }

    @Test func `changes of a value that is held once copy no container`() throws {
        let count = Chance.isSoak ? 100_000 : 2_000, keys = count / 20
        var json: JSON = ["list": [], "table": [:]]
        try json["list"].append(0)
        json["table"]["k0"] = 0
        let list = try #require(json["list"]?.edited), table = try #require(json["table"]?.edited)
        for number in 1..<count {
            try json["list"].append(JSON(number))
            json["table"]["k\(number % keys)"] = JSON(number)
        }
        for number in 0..<count { json["list"][number] = JSON(-number) }
        #expect(json["list"]?.edited === list && json["table"]?.edited === table)
        #expect(json["list"]?.count == count && json["list"][count - 1] == JSON(1 - count))
        #expect(json["table"]?.count == keys && json["table"]["k\(keys - 1)"] == JSON(count - 1))
    }

    @Test func `values nested by editing, however deep, are freed, compared and written`() throws {
        var json: JSON = [:]
        for _ in 0..<3_000 {
            var outer: JSON = [:]
            outer["in"] = json
            json = outer
        }
        let again = try JSON(parsing: json.data(), options: .init(maximumDepth: 4_000))
        #expect(again == json && again.hashValue == json.hashValue)
    }

    @Test func `random edits come out as those of Foundation's containers`() throws {
        let seed = Chance.seed
        var random = StableRandom(seed: seed)
        var json: JSON = [:]
        var model: [String: [Int]] = [:]
        for _ in 0..<2_000 {
            let key = "k\(Int.random(in: 0..<20, using: &random))"
            let number = Int.random(in: 0..<1000, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                json[key] = nil
                model[key] = nil
            case 1, 2:
                try json[key].append(JSON(number))
                model[key, default: []].append(number)
            case 3:
                let count = model[key]?.count ?? 0
                guard count > 0 else { break }
                json[key][number % count] = nil
                model[key]?.remove(at: number % count)
            default:
                let count = model[key]?.count ?? 0
                guard count > 0 else { break }
                json[key][number % count] = JSON(number)
                model[key]?[number % count] = number
            }
        }
        #expect(try json.decode([String: [Int]].self) == model)
    }
}
