import Foundation
import Stepline

/// Entities made to fill the memory: how soon they are refused, and at what cost.
enum XMLHostility: Benchmark {
    static let name = "xml-hostile"
    static let summary = "billion laughs and quadratic blow-up, until they are refused"

    private static let laughs: String = {
        var entities = "<!ENTITY l0 'lollollollol'>"
        for level in 1...12 {
            entities += "<!ENTITY l\(level) '" + String(repeating: "&l\(level - 1);", count: 10) + "'>"
        }
        return "<!DOCTYPE a [\(entities)]><a>&l12;</a>"
    }()

    private static let quadratic =
        "<!DOCTYPE a [<!ENTITY e '" + String(repeating: "<b/>", count: 25_000) + "'>]><a>"
        + String(repeating: "&e;", count: 10_000) + "</a>"

    static func run() throws -> [Finding] {
        try ["laughs", "quadratic"].flatMap { kind in
            let numbers = try Child.numbers("xml-hostile", [kind])
            guard numbers.count == 2 else { throw ChildFailed(task: name) }
            return [
                Finding("\(kind): time until refused", numbers[0] / 1e6, "ms", bound: 1_000),
                Finding("\(kind): peak memory", numbers[1] / Double(1 << 20), "MB", bound: 64),
            ]
        }
    }

    /// In a fresh process, since the peak of memory only rises.
    static func measure(_ kind: String) {
        let bytes = Array((kind == "laughs" ? laughs : quadratic).utf8)
        let before = processStatus("VmHWM")
        let time = nanoseconds {
            if (try? XML.Document(bytes: bytes)) != nil { fatalError("it is taken") }
        }
        print(time, processStatus("VmHWM") - before)
    }
}
