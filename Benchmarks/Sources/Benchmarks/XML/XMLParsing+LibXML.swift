import CLibXML2Peer

extension XMLParsing {
    static func parseByLibXML(_ input: [UInt8]) {
        guard let tree = libXMLTree(input) else { fatalError("libxml2 gives no tree") }
        peer_dom_free(tree)
    }

    static func libXMLTree(_ input: [UInt8]) -> UnsafeMutableRawPointer? {
        input.withUnsafeBytes { bytes in
            peer_dom_parse(bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
        }
    }
}
