import Foundation
import SteplineJSON

/// Any bytes as lines: they must come out alike however the bytes are cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    let whole = read(data, pieces: max(count, 1))
    for size in [1, 7] where read(data, pieces: size) != whole { fatalError("another cut, other records") }
    let short = JSON.LineReader(options: .init(maximumSize: 100))
    for place in stride(from: 0, to: data.count, by: 7) {
        try? short.read(data.dropFirst(place).prefix(7)) { _ in }
    }
    try? short.finish { _ in }
    return 0
}

/// The records, and the place of the error that ends them.
private func read(_ data: Data, pieces size: Int) -> [String] {
    let reader = JSON.LineReader()
    var seen: [String] = []
    do {
        for place in stride(from: 0, to: data.count, by: size) {
            try reader.read(data.dropFirst(place).prefix(size)) { seen.append("\($0)") }
        }
        try reader.finish { seen.append("\($0)") }
    } catch let error as JSONError {
        seen.append("\(error.line):\(error.column) \(error.byteOffset) \(error.code)")
    } catch {
        fatalError("\(error)")
    }
    return seen
}
