import CLibXML2Peer
import Foundation
import Stepline

/// A catalogue, parsed into libxml2's tree and into ours.
enum XMLParsing: Benchmark {
    static let name = "xml-document"
    static let summary = "parse catalogues of 1 KB, 1 MB and 25 MB, and the memory of the last"

    static func run() throws -> [Finding] {
        var findings = [1_000, 1_000_000, 25_000_000].map { size in
            let input = catalogue(size: size)
            let repeats = max(1, 4_000_000 / input.count)
            let duel = Duel(
                rounds: size > 5_000_000 ? 5 : 9, units: [input.count * repeats, input.count * repeats],
                [
                    { for _ in 0..<repeats { parseByLibXML(input) } },
                    { for _ in 0..<repeats { parseByStepline(input) } },
                ])
            let text = size < 1_000_000 ? "1 KB" : "\(size / 1_000_000) MB"
            return Finding(
                "document of \(text), of libxml2's time", 1 / duel.ratios[1], "times",
                bound: size < 10_000 ? 1 : 1 / 1.3,
                rival: "\(Int(1_000 / duel.medians[1])) MB/s; libxml2, MB/s",
                rivalValue: 1_000 / duel.medians[0])
        }
        let memory = try Child.numbers("xml-memory")
        guard memory.count == 2 else { throw ChildFailed(task: name) }
        findings.append(
            Finding(
                "memory of 25 MB, of libxml2's", memory[1] / memory[0], "times", bound: 0.5,
                rival: "\(Int(memory[1] / 1e6)) MB; libxml2, MB", rivalValue: memory[0] / 1e6))
        return findings
    }

    static func parseByStepline(_ input: [UInt8]) {
        if orFail({ try XML.Document(bytes: input) }).root.name != "catalogue" { fatalError("another root") }
    }

    /// In a fresh process: what malloc has handed out for each of the trees.
    static func measureMemory() throws {
        let input = catalogue(size: 25_000_000)
        let before = peer_allocated()
        let tree = libXMLTree(input)
        print(peer_allocated() - before)
        peer_dom_free(tree)
        let beforeOurs = peer_allocated()
        let document = try XML.Document(bytes: input)
        print(peer_allocated() - beforeOurs)
        guard document.root.name == "catalogue" else { throw ChildFailed(task: name) }
    }
}
