import CLibXML2Peer

extension XMLStreaming {
    static func pushByLibXML(_ input: [UInt8], piece: Int) {
        let result = input.withUnsafeBytes { bytes in
            peer_push(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, Int32(piece))
        }
        if result != 0 { fatalError("libxml2 refuses the input") }
    }
}
