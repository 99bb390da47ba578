import CLibXML2
import SteplineXML

/// Our tree, a line for each node.
enum TreeDump {
    static func lines(of document: XML.Document, withLines: Bool = true) -> [String] {
        var lines: [String] = []
        func add(_ node: XML.Node) {
            switch node.kind {
            case .document: break
            case .element:
                guard let element = node.element else { return }
                // libxml2's tree has no line for what comes out of an entity.
                let line = withLines && element.localName != "e" ? "@\(element.line)" : ""
                lines.append(
                    "<\(element.prefix ?? "-")|\(element.localName)|\(element.namespace ?? "-")\(line)")
                for attribute in element.attributes {
                    let (prefix, space) = (attribute.prefix ?? "-", attribute.namespace ?? "-")
                    lines.append(" \(prefix)|\(attribute.localName)|\(space)=\(attribute.value)")
                }
                for (prefix, uri) in element.declaredNamespaces.sorted(by: { $0.key < $1.key }) {
                    lines.append(" xmlns:\(prefix)=\(uri)")
                }
                for child in node.nodes { add(child) }
                lines.append(">")
            case .text: lines.append("#" + node.text)
            case .cdata: lines.append("[" + node.text)
            case .comment: lines.append("!" + node.text)
            case .instruction: lines.append("?\(node.name ?? "") \(node.text)")
            case .attribute: break
            }
        }
        for node in document.nodes { add(node) }
        return lines
    }
}

/// libxml2's tree, the same way; nil if it refuses the input.
enum DOMDump {
    static func lines(of bytes: [UInt8]) -> [String]? {
        let options =
            XML_PARSE_NOENT.rawValue | XML_PARSE_DTDATTR.rawValue | XML_PARSE_NONET.rawValue
            | XML_PARSE_NOERROR.rawValue
        let document = bytes.withUnsafeBytes { bytes in
            xmlReadMemory(
                bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), nil, nil,
                Int32(options | XML_PARSE_NOWARNING.rawValue))
        }
        guard let document else { return nil }
        defer { xmlFreeDoc(document) }
        var lines: [String] = []
        var node = document.pointee.children
        while let current = node {
            add(current, to: &lines)
            node = current.pointee.next
        }
        return lines
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String? {
        text.map { String(cString: $0) }
    }

    private static func add(_ node: xmlNodePtr, to lines: inout [String]) {
        let content =
            node.pointee.type == XML_ELEMENT_NODE ? "" : string(UnsafePointer(node.pointee.content)) ?? ""
        switch node.pointee.type {
        case XML_ELEMENT_NODE: addElement(node, to: &lines)
        case XML_TEXT_NODE: lines.append("#" + content)
        case XML_CDATA_SECTION_NODE: lines.append("[" + content)
        case XML_COMMENT_NODE: lines.append("!" + content)
        case XML_PI_NODE: lines.append("?\(string(node.pointee.name) ?? "") \(content)")
        default: break
        }
    }

    private static func addElement(_ node: xmlNodePtr, to lines: inout [String]) {
        let space = node.pointee.ns
        let (prefix, uri) = (string(space?.pointee.prefix) ?? "-", string(space?.pointee.href) ?? "-")
        let name = string(node.pointee.name) ?? ""
        lines.append("<\(prefix)|\(name)|\(uri)" + (name == "e" ? "" : "@\(node.pointee.line)"))
        var attribute = node.pointee.properties
        while let current = attribute {
            let (prefix, uri) = (
                string(current.pointee.ns?.pointee.prefix) ?? "-",
                string(current.pointee.ns?.pointee.href) ?? "-"
            )
            let value = xmlNodeListGetString(node.pointee.doc, current.pointee.children, 1)
            lines.append(
                " \(prefix)|\(string(current.pointee.name) ?? "")|\(uri)=\(string(UnsafePointer(value)) ?? "")"
            )
            if let value { stepline_xml_free(value) }
            attribute = current.pointee.next
        }
        var declared: [(String, String)] = []
        var definition = node.pointee.nsDef
        while let current = definition {
            declared.append((string(current.pointee.prefix) ?? "", string(current.pointee.href) ?? ""))
            definition = current.pointee.next
        }
        for (prefix, uri) in declared.sorted(by: { $0.0 < $1.0 }) { lines.append(" xmlns:\(prefix)=\(uri)") }
        var child = node.pointee.children
        while let current = child {
            add(current, to: &lines)
            child = current.pointee.next
        }
        lines.append(">")
    }
}
