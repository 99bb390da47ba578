import Foundation
import SteplineXML

/// Any bytes as an HTML page.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: start, count: count))
    guard let document = try? XML.Document(html: data) else { return 0 }
    _ = document.xmlBytes
    _ = try? document.query(.strings("//a/@href | //p"))
    return 0
}
