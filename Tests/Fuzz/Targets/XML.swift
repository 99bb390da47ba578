import SteplineXML

/// Any bytes as a document, strictly and leniently, whole and as a stream in small pieces; what was read is written
/// and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var options = XML.Options()
    if let document = try? XML.Document(bytes: bytes, options: options) {
        let written = document.xmlBytes
        guard let again = try? XML.Document(bytes: written, options: options) else {
            fatalError("can't be read back")
        }
        precondition(again.xmlBytes == written, "isn't the same when read back")
        for element in document.elements {
            _ = (element.previousSibling, element.text, element.attributes.count)
        }
    }
    options.isLenient = true
    if let document = try? XML.Document(bytes: bytes, options: options) { _ = document.xmlBytes }
    let parser = XML.RecordParser(of: "*/*")
    do {
        for place in stride(from: 0, to: bytes.count, by: 5) {
            for record in try parser.feed(Array(bytes[place..<min(place + 5, bytes.count)])) {
                _ = record.xml
            }
        }
        for record in try parser.finish() { _ = record.xml }
    } catch {}
    return 0
}
