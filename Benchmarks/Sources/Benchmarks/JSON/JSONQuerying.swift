import Foundation
import Stepline

/// A JSONPath over a document; Foundation has nothing to hold it against but the parsing that comes before.
enum JSONQuerying: Benchmark {
    static let name = "json-query"
    static let summary = "a JSONPath with a filter over orders of 1 MB"

    static func run() throws -> [Finding] {
        let data = Orders.data(bytes: 1_000_000)
        let json = try JSON(parsing: data)
        let path = try JSONPath("$[?@.customer.verified == true].lines[*].price")
        let duel = Duel(
            rounds: 9, units: [data.count, data.count],
            [
                { JSONParsing.parseByStepline(data) },
                { if orFail({ try json.query(path) }).isEmpty { fatalError("there are prices") } },
            ])
        return [Finding("query 1 MB, of the time to parse it", 1 / duel.ratios[1], "times", bound: 1)]
    }
}
