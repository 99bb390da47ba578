import Foundation
import SteplineJSON

// JSONBenchmark [parse|decode|query|parse-only|decode-only|sample]: all comparisons, or one; `sample` writes 30 MB to standard output.
let only = CommandLine.arguments.dropFirst().first

func wants(_ name: String) -> Bool { only == nil || only == name }

if only == "sample" {
    FileHandle.standardOutput.write(Sample.orders(bytes: 30_000_000))
    exit(0)
}
for size in [1_000, 1_000_000, 30_000_000] {
    for pretty in [false, true] {
        let data = Sample.orders(bytes: size, pretty: pretty)
        let measure = Measure(bytes: data.count, minimumSeconds: only == nil ? 1.5 : 3)
        let shape = pretty ? ", pretty" : ""
        let ours = ("JSON", { try JSON(parsing: data).count })
        let decoder = JSON.Decoder()
        let ourDecoder = ("JSON.Decoder", { try decoder.decode([Order].self, from: data).count })
        if wants("parse") {
            let rival = { try JSONSerialization.jsonObject(with: data) is [Any] ? 1 : 0 }
            try measure.compare("Parse\(shape)", [("JSONSerialization", rival), ours])
        }
        if wants("decode") {
            let foundation = JSONDecoder()
            let rival = { try foundation.decode([Order].self, from: data).count }
            try measure.compare("Decode\(shape)", [("JSONDecoder", rival), ourDecoder])
        }
        if wants("query") {
            let json = try JSON(parsing: data)
            let path = try JSONPath("$[?@.customer.verified == true].lines[*].price")
            let filter = ("JSONPath, parsed", { try json.query(path).count })
            let whole = ("JSONPath, with parsing", { try JSON(parsing: data).query(path).count })
            try measure.compare("Query\(shape)", [filter, whole])
        }
        // By themselves, for a profiler.
        if only == "parse-only" { try measure.compare("Parse\(shape)", [ours]) }
        if only == "decode-only" { try measure.compare("Decode\(shape)", [ourDecoder]) }
    }
}
