import Foundation
import Stepline

/// The records of a catalogue in pieces of 64 KB, against libxml2's push parser whose handlers do nothing.
enum XMLStreaming: Benchmark {
    static let name = "xml-stream"
    static let summary = "records of 30 MB in pieces, and the memory of 300 MB"

    static let piece = 65_536

    static func run() throws -> [Finding] {
        let input = catalogue(size: 30_000_000)
        let duel = Duel(
            rounds: 7, units: [input.count, input.count],
            [{ pushByLibXML(input, piece: piece) }, { orFail { try pushByStepline(input) } }])
        let growth = try Child.numbers("xml-stream-memory")
        guard let growth = growth.first else { throw ChildFailed(task: name) }
        return [
            Finding(
                "records of 30 MB, of bare SAX2's time", 1 / duel.ratios[1], "times", bound: 1 / 0.7,
                rival: "\(Int(1_000 / duel.medians[1])) MB/s; SAX2, MB/s", rivalValue: 1_000 / duel.medians[0]
            ),
            Finding("peak memory of 300 MB of records", growth / Double(1 << 20), "MB"),
            Finding("peak memory, of the records' size", growth / 300e6, "times", bound: 0.05),
        ]
    }

    static func pushByStepline(_ input: [UInt8], of record: String = "item") throws {
        let parser = XML.RecordParser(of: record)
        var count = 0
        try input.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: piece) {
                let end = min(start + piece, bytes.count)
                count += try parser.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end])).count
            }
        }
        count += try parser.finish().count
        if count == 0 { fatalError("there are records") }
    }

    /// In a fresh process: by how much its peak rises while records pass that are never in memory at once.
    static func measureMemory() throws {
        let block = Array(catalogue(size: 1_000_000).drop { $0 != 10 }.dropFirst().drop { $0 != 10 })
        let body = block.dropLast("</catalogue>\n".utf8.count)
        let parser = XML.RecordParser(of: "item")
        var count = try parser.feed(Array("<catalogue xmlns:m=\"urn:meta\">".utf8)).count
        let before = processStatus("VmHWM")
        for _ in 0..<300 {
            for start in stride(from: body.startIndex, to: body.endIndex, by: piece) {
                count += try parser.feed(Array(body[start..<min(start + piece, body.endIndex)])).count
            }
        }
        count += try parser.feed(Array("</catalogue>".utf8)).count + parser.finish().count
        guard count > 0 else { throw ChildFailed(task: name) }
        print(processStatus("VmHWM") - before)
    }
}
