import CLibXML2

/// The namespaces in scope by prefix; equal strings have equal addresses.
struct PlainNamespaces {
    typealias Bytes = UnsafePointer<UInt8>

    struct Binding: BitwiseCopyable {
        var prefix: Bytes?
        var namespace: Bytes
    }

    private(set) var bindings = RawBuffer<Binding>(capacity: 16)
    let xml: Bytes?
    let xmlns: Bytes?
    private let xmlNamespace: Bytes?
    private let xmlnsNamespace: Bytes?

    init(_ dictionary: xmlDictPtr) {
        func kept(_ text: String) -> Bytes? {
            text.utf8CString.withUnsafeBytes {
                xmlDictLookup(dictionary, $0.bindMemory(to: UInt8.self).baseAddress, Int32($0.count - 1))
            }
        }
        xml = kept("xml")
        xmlns = kept("xmlns")
        xmlNamespace = kept("http://www.w3.org/XML/1998/namespace")
        xmlnsNamespace = kept("http://www.w3.org/2000/xmlns/")
        if let xml, let xmlNamespace { bindings.append(Binding(prefix: xml, namespace: xmlNamespace)) }
    }

    func destroy() { bindings.destroy() }

    var count: Int { bindings.count }

    mutating func leave(to count: Int) { bindings.truncate(to: count) }

    /// Declares a namespace for the tag whose bindings begin at `first`; returns false if it isn't permitted.
    mutating func declare(_ prefix: Bytes?, _ namespace: Bytes, first: Int) -> Bool {
        guard prefix != xml, prefix != xmlns, namespace != xmlNamespace, namespace != xmlnsNamespace,
            namespace[0] != 0 || prefix == nil
        else { return false }
        for place in first..<bindings.count where bindings.base[place].prefix == prefix { return false }
        bindings.append(Binding(prefix: prefix, namespace: namespace))
        return true
    }

    enum Found {
        case none
        case namespace(Bytes)
        case unbound
    }

    /// Returns the namespace of a prefix, or the default namespace.
    @inline(__always)
    func find(_ prefix: Bytes?) -> Found {
        var place = bindings.count
        while place > 0 {
            place &-= 1
            guard bindings.base[place].prefix == prefix else { continue }
            let namespace = bindings.base[place].namespace
            return namespace[0] == 0 ? .none : .namespace(namespace)
        }
        return prefix == nil ? .none : .unbound
    }
}
