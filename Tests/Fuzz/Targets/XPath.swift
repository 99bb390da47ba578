import SteplineXML

private let document = try? XML.Document(
    string:
        "<r xmlns:n='urn:n' xml:lang='de'><a id='1'>x<n:b/></a><!--c--><a id='2'><![CDATA[y]]></a><?p q?></r>"
)

/// Any text as an XPath expression.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let expression = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    _ = try? XML.Query.strings(expression).check()
    _ = try? document?.query(.strings(expression), namespaces: ["n": "urn:n"], variables: ["v": 1])
    _ = try? document?.root.query(.nodes(expression)).count
    return 0
}
