import CLibXML2Peer
import SteplineXML

/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let time = (ContinuousClock.now - start).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
}

func shown(_ number: Double, _ digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return "\((number * scale).rounded() / scale)"
}

/// Runs both in turn; prints best times and the ratio of the medians.
func compare(
    _ title: String, rounds: Int, bytes: Int, rival: () throws -> Void, ours: () throws -> Void
) rethrows {
    var rivals: [Double] = []
    var own: [Double] = []
    for _ in 0..<rounds {
        rivals.append(try seconds(rival))
        own.append(try seconds(ours))
    }
    rivals.sort()
    own.sort()
    let ratio = rivals[rounds / 2] / own[rounds / 2]
    let megabytes = Double(bytes) / 1e6
    print(
        "\(title): rival \(shown(megabytes / rivals[0])) MB/s, ours \(shown(megabytes / own[0])) MB/s,",
        "ours is \(shown(ratio)) times as fast (median), \(shown(rivals[0] / own[0])) (best)")
}

// First, since the peak of memory only rises.
measureHostile()
try measureStreamMemory(size: 300_000_000)
try compareStreams()

for (name, size, rounds, repeats) in [
    ("1 KB", 1_000, 9, 2_000), ("1 MB", 1_000_000, 15, 4), ("25 MB", 25_000_000, 9, 1),
] {
    let input = catalogue(size: size)
    let count = input.count * repeats
    try compare("document \(name) against xmlReadMemory + xmlFreeDoc", rounds: rounds, bytes: count) {
        for _ in 0..<repeats {
            input.withUnsafeBytes { bytes in
                let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                peer_dom_free(peer_dom_parse(start, Int32(bytes.count)))
            }
        }
    } ours: {
        for _ in 0..<repeats { _ = try XML.Document(bytes: input) }
    }
}

do {
    let input = catalogue(size: 25_000_000)
    let before = peer_allocated()
    let dom = input.withUnsafeBytes { bytes in
        peer_dom_parse(bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    let domSize = peer_allocated() - before
    peer_dom_free(dom)
    let beforeOurs = peer_allocated()
    let document = try XML.Document(bytes: input)
    let size = peer_allocated() - beforeOurs
    print(
        "memory of 25 MB: DOM \(domSize / 1_000_000) MB, ours \(size / 1_000_000) MB,",
        "\(shown(Double(size) / Double(domSize))) of it; root \(document.root.name)")
}
