import Foundation
import Stepline

/// The records of a catalogue in pieces of 64 KB, against libxml2's push parser whose handlers do nothing.
enum XMLStreaming: Benchmark {
    static let name = "xml-stream"
    static let summary = "records of 30 MB in pieces, and the memory of 300 MB"

    static let piece = 65_536

    static func run() throws -> [Finding] {
        let input = catalogue(size: 30_000_000)
        let data = Data(input)
        let duel = Duel(
            rounds: 7, units: [input.count, input.count],
            [{ pushByLibXML(input, piece: piece) }, { orFail { try readByStepline(data) } }])
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

    /// Reads the records; the stream takes the data in pieces of 64 KiB as well.
    static func readByStepline(_ input: Data, of record: String = "item") throws {
        let count = try XML.Stream(of: record, in: input).forEach { _ in .more }
        if count == 0 { fatalError("there are records") }
    }

    /// In a fresh process: by how much its peak rises while records pass that are never in memory at once.
    static func measureMemory() throws {
        let block = Array(catalogue(size: 1_000_000).drop { $0 != 10 }.dropFirst().drop { $0 != 10 })
        let body = Array(block.dropLast("</catalogue>\n".utf8.count))
        let records = XML.Stream(of: "item", from: RepeatedPieces(body: body))
        let before = processStatus("VmHWM")
        runBlocking {
            var count = 0
            for try await _ in records { count += 1 }
            guard count > 0 else { throw ChildFailed(task: name) }
        }
        print(processStatus("VmHWM") - before)
    }
}

/// A catalogue of 300 times the same body, in pieces that are made when they are asked for.
private struct RepeatedPieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let body: [UInt8]

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: [UInt8]
        var round = -1
        var start = 0

        mutating func next() async -> [UInt8]? {
            if round == -1 || round == 300 {
                round += 1
                return Array((round == 0 ? "<catalogue xmlns:m=\"urn:meta\">" : "</catalogue>").utf8)
            }
            guard round < 300 else { return nil }
            let end = Swift.min(start + XMLStreaming.piece, body.count)
            let piece = Array(body[start..<end])
            start = end
            if end == body.count { (round, start) = (round + 1, 0) }
            return piece
        }
    }
}
