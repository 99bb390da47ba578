import CLibXML2Peer
import SteplineXML

/// Compares records with the bare push parser, on the same pieces.
func compareStreams() throws {
    let input = catalogue(size: 30_000_000)
    var records = 0
    try compare("records of 30 MB against push SAX2 with empty handlers", rounds: 9, bytes: input.count) {
        input.withUnsafeBytes { bytes in
            _ = peer_push(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, 65_536)
        }
    } ours: {
        let parser = XML.RecordParser(of: "item")
        records = 0
        try input.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 65_536) {
                let end = min(start + 65_536, bytes.count)
                records += try parser.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end])).count
            }
        }
        records += try parser.finish().count
    }
    print("  \(records) records")
}

/// Streams `size` bytes that are never in memory at once; tells how much the peak of memory grew.
func measureStreamMemory(size: Int) throws {
    let block = Array(catalogue(size: 1_000_000).drop { $0 != 10 }.dropFirst().drop { $0 != 10 })
    let body = block.dropLast("</catalogue>\n".utf8.count)
    let parser = XML.RecordParser(of: "item")
    var records = try parser.feed(Array("<catalogue xmlns:m=\"urn:meta\">".utf8)).count
    let before = peer_resident_peak()
    var fed = 0
    while fed < size {
        for start in stride(from: body.startIndex, to: body.endIndex, by: 65_536) {
            records += try parser.feed(Array(body[start..<min(start + 65_536, body.endIndex)])).count
        }
        fed += body.count
    }
    records += try parser.feed(Array("</catalogue>".utf8)).count + parser.finish().count
    print(
        "stream of \(size / 1_000_000) MB: \(records) records, peak memory grew by \((peer_resident_peak() - before) / 1024) MB"
    )
}

/// Parses documents whose entities multiply; tells time and growth of the peak of memory.
func measureHostile() {
    var entities = "<!ENTITY l0 'lollollollol'>"
    for level in 1...12 {
        entities += "<!ENTITY l\(level) '" + String(repeating: "&l\(level - 1);", count: 10) + "'>"
    }
    let laughs = "<!DOCTYPE a [\(entities)]><a>&l12;</a>"
    let quadratic =
        "<!DOCTYPE a [<!ENTITY e '" + String(repeating: "<b/>", count: 25_000) + "'>]><a>"
        + String(repeating: "&e;", count: 10_000) + "</a>"
    for (name, source) in [("billion laughs", laughs), ("quadratic blow-up", quadratic)] {
        let bytes = Array(source.utf8)
        let before = peer_resident_peak()
        var found = ""
        let time = seconds {
            do { _ = try XML.Document(bytes: bytes) } catch { found = "\(error)" }
        }
        let growth = (peer_resident_peak() - before) / 1024
        print("\(name): \(shown(time * 1000)) ms, peak memory grew by \(growth) MB: \(found)")
    }
}
