import SteplineJSON

private let document: JSON = ["a": ["b": [1, 2.5, "text", nil, ["c": true]], "d": "x"], "e": [[], [:]]]

/// Any text as a JSONPath, a JSON Pointer and a regular expression of a filter.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let path = try? JSONPath(text) { _ = try? document.query(path, budget: 10_000) }
    if let pointer = try? JSONPointer(text) {
        guard pointer.description == text else { fatalError("a pointer is written otherwise") }
        _ = document[pointer]
    }
    let pattern = JSON(text).description
    _ = try? document.query(JSONPath("$..[?search(@, \(pattern)) || match(@, \(pattern))]"), budget: 10_000)
    return 0
}
