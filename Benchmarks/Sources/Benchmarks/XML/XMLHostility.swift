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
            let harmless = try Child.numbers("xml-hostile", ["harmless"])
            guard numbers.count == 2, harmless.count == 2 else { throw ChildFailed(task: name) }
            return [
                Finding(
                    "\(kind): time until refused", numbers[0] / 1e6, "ms", rival: "a catalogue of 25 MB, ms",
                    rivalValue: harmless[0] / 1e6),
                Finding(
                    "\(kind): peak memory", numbers[1] / Double(1 << 20), "MB",
                    rival: "a catalogue of 25 MB, MB", rivalValue: harmless[1] / Double(1 << 20)),
                Finding(
                    "\(kind): time until refused, of a catalogue of 25 MB's", numbers[0] / harmless[0],
                    "times", bound: 1),
                Finding(
                    "\(kind): peak memory, of a catalogue of 25 MB's", numbers[1] / harmless[1], "times",
                    bound: 1.5),
            ]
        }
    }

    /// In a fresh process, since the peak of memory only rises.
    static func measure(_ kind: String) {
        let isHarmless = kind == "harmless"
        let bytes =
            isHarmless ? catalogue(size: 25_000_000) : Array((kind == "laughs" ? laughs : quadratic).utf8)
        let before = processStatus("VmHWM")
        let time = nanoseconds {
            if ((try? XML.Document(bytes: bytes)) != nil) != isHarmless {
                fatalError("it is taken or refused")
            }
        }
        print(time, processStatus("VmHWM") - before)
    }
}
