import Foundation
import SteplineJSON

/// Any bytes as a document whose array is read element by element: alike however the bytes are cut, and like the
/// whole document.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    guard let first = data.first else { return 0 }
    let pointers = ["", "/a", "/0", "/a/0", "/a~1b/", "/1/a"]
    let pointer = pointers[Int(first) % pointers.count]
    let document = data.dropFirst()
    let whole = read(document, at: pointer, pieces: max(count, 1))
    for size in [1, 2, 7] where read(document, at: pointer, pieces: size) != whole {
        fatalError("another cut, other elements")
    }
    if whole.failure == nil { check(whole.elements, document, pointer) }
    _ = read(document, at: pointer, pieces: 3, options: .init(maximumDepth: 3, maximumSize: 20))
    return 0
}

private struct Outcome: Equatable {
    var elements: [String] = []
    var failure: String?
}

private func read(
    _ data: Data, at pointer: String, pieces size: Int, options: JSON.Options = .init()
) -> Outcome {
    var outcome = Outcome()
    do {
        let reader = try JSON.ElementReader(at: pointer, options: options)
        for place in stride(from: data.startIndex, to: data.endIndex, by: size) {
            let piece = data[place..<min(data.endIndex, place + size)]
            try reader.read(piece) { outcome.elements.append("\($0)") }
        }
        try reader.finish { outcome.elements.append("\($0)") }
    } catch let error as JSONError {
        outcome.failure = "\(error.line):\(error.column) \(error.byteOffset) \(error.code)"
    } catch {
        fatalError("\(error)")
    }
    return outcome
}

/// Requires that a text read to its end is a document whose array has these elements.
private func check(_ elements: [String], _ data: Data, _ pointer: String) {
    guard let text = String(validating: data, as: UTF8.self), let json = try? JSON(parsing: text),
        let found = try? json.value(at: pointer), let array = found.array
    else { fatalError("the elements are there, and the document isn't") }
    guard array.map(\.description) == elements else { fatalError("the document has other elements") }
}
