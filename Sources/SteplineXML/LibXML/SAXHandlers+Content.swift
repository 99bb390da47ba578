import CLibXML2

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension SAXHandlers {
    typealias Bytes = UnsafePointer<xmlChar>

    @inline(__always)
    static func startElement(
        _ context: UnsafeMutableRawPointer?, _ local: Bytes?, _ prefix: Bytes?, _ namespace: Bytes?,
        _ declarationCount: Int32, _ declarations: UnsafeMutablePointer<Bytes?>?, _ attributeCount: Int32,
        _ defaultedCount: Int32, _ attributes: UnsafeMutablePointer<Bytes?>?
    ) {
        guard let state = state(context), state.pointee.failure == nil else { return }
        state.pointee.depth += 1
        if state.pointee.depth > state.pointee.options.maximumDepth {
            return state.pointee.fail(
                .depth, "elements nest deeper than \(state.pointee.options.maximumDepth)")
        }
        if Int(attributeCount) > state.pointee.options.maximumAttributes {
            let limit = state.pointee.options.maximumAttributes
            return state.pointee.fail(.attributes, "an element has more than \(limit) attributes")
        }
        state.pointee.enterScope(Int(declarationCount))
        let startsOutside = !state.pointee.isKeeping
        if startsOutside, !state.pointee.entersRecord(local, prefix, namespace) {
            checkNames(state)
            return declareOutside(state, declarations, Int(declarationCount))
        }
        let name = state.pointee.builder.names.number(local, prefix, namespace)
        let element = state.pointee.builder.openElement(name: name, line: state.pointee.line)
        if declarationCount > 0, let declarations {
            declare(state, element, declarations, Int(declarationCount))
        }
        if startsOutside { inherit(state, element, declarations, Int(declarationCount)) }
        if attributeCount > 0, let attributes {
            add(state, element, attributes, Int(attributeCount), defaulted: Int(defaultedCount))
        }
        checkNames(state)
    }

    @inline(__always)
    private static func checkNames(_ state: State) {
        if state.pointee.builder.names.longest > state.pointee.options.maximumNameLength {
            state.pointee.fail(
                .nameLength, "a name is longer than \(state.pointee.options.maximumNameLength) bytes")
        }
        state.pointee.checkDictionary()
    }

    /// Records namespaces outside records, since every record inherits them.
    @inline(__always)
    private static func declareOutside(
        _ state: State, _ declarations: UnsafeMutablePointer<Bytes?>?, _ count: Int
    ) {
        guard count > 0 else { return }
        state.pointee.records.declare(declarations, count, depth: state.pointee.depth)
    }

    private static func declare(
        _ state: State, _ element: UInt32, _ declarations: UnsafeMutablePointer<Bytes?>, _ count: Int
    ) {
        for index in 0..<count {
            let name = state.pointee.builder.names.number(
                declarations[2 * index], nil, declarations[2 * index + 1])
            state.pointee.builder.declarations.append(NamespaceRecord(name: name, owner: element))
        }
    }

    /// Declares inherited namespaces on a record, so that it is self-contained.
    private static func inherit(
        _ state: State, _ element: UInt32, _ own: UnsafeMutablePointer<Bytes?>?, _ count: Int
    ) {
        for binding in state.pointee.records.inherited(apart: own, count) {
            let name = state.pointee.builder.names.number(binding.prefix, nil, binding.namespace)
            state.pointee.builder.declarations.append(NamespaceRecord(name: name, owner: element))
        }
    }

    @inline(__always)
    private static func add(
        _ state: State, _ element: UInt32, _ attributes: UnsafeMutablePointer<Bytes?>, _ count: Int,
        defaulted: Int
    ) {
        for index in 0..<count {
            let parts = attributes + 5 * index
            guard let start = parts[3], let end = parts[4] else { continue }
            let length = end - start
            if length > state.pointee.options.maximumTextLength {
                return state.pointee.failOnText("an attribute")
            }
            // Default values add content beyond the input, so they count as expansion.
            if index >= count - defaulted, !state.pointee.expand(by: length + 32) { return }
            let name = state.pointee.builder.names.number(parts[0], parts[1], parts[2])
            state.pointee.builder.addAttribute(name: name, owner: element, value: start, count: length)
        }
    }

    @inline(__always)
    static func endElement(_ context: UnsafeMutableRawPointer?) {
        guard let state = state(context), state.pointee.failure == nil else { return }
        if state.pointee.isStreaming {
            state.pointee.leaveElement()
            return state.pointee.leaveScope()
        }
        state.pointee.depth -= 1
        state.pointee.leaveScope()
        state.pointee.builder.closeElement()
    }

    @inline(__always)
    static func characters(_ context: UnsafeMutableRawPointer?, _ start: Bytes?, _ count: Int32) {
        guard let state = state(context), let start, state.pointee.isKeeping, state.pointee.failure == nil
        else {
            return
        }
        let size = state.pointee.builder.addText(start, count: Int(count), line: state.pointee.line)
        if size > state.pointee.options.maximumTextLength { state.pointee.failOnText("a text") }
    }

    static func cdata(_ context: UnsafeMutableRawPointer?, _ start: Bytes?, _ count: Int32) {
        guard let state = state(context), let start, state.pointee.isKeeping, state.pointee.failure == nil
        else {
            return
        }
        // libxml2's push parser doesn't normalize line ends here.
        guard memchr(start, 13, Int(count)) == nil, !state.pointee.endsInReturn else {
            return cdataWithReturns(state, UnsafeBufferPointer(start: start, count: Int(count)))
        }
        addCDATA(state, start, Int(count))
    }

    private static func cdataWithReturns(_ state: State, _ bytes: UnsafeBufferPointer<UInt8>) {
        var text: [UInt8] = []
        for byte in bytes {
            if byte != 10 || !state.pointee.endsInReturn { text.append(byte == 13 ? 10 : byte) }
            state.pointee.endsInReturn = byte == 13
        }
        text.withUnsafeBufferPointer { text in
            if let start = text.baseAddress { addCDATA(state, start, text.count) }
        }
    }

    private static func addCDATA(_ state: State, _ start: Bytes, _ count: Int) {
        let size = state.pointee.builder.addCDATA(start, count: count, line: state.pointee.line)
        if size > state.pointee.options.maximumTextLength { state.pointee.failOnText("a CDATA section") }
    }

    static func comment(_ context: UnsafeMutableRawPointer?, _ text: Bytes?) {
        guard let state = state(context), let text else { return }
        comment(state, text, strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
    }

    static func comment(_ state: State, _ text: Bytes, _ count: Int) {
        guard state.pointee.keepsAside else { return }
        if count > state.pointee.options.maximumTextLength { return state.pointee.failOnText("a comment") }
        state.pointee.builder.addAside(.comment, text, count: count, line: state.pointee.line)
    }

    static func instruction(_ context: UnsafeMutableRawPointer?, _ target: Bytes?, _ text: Bytes?) {
        guard let state = state(context), let target else { return }
        let count = text.map { strlen(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } ?? 0
        instruction(state, target, text ?? target, count)
    }

    static func instruction(_ state: State, _ target: Bytes, _ text: Bytes, _ count: Int) {
        state.pointee.checkDictionary()
        guard state.pointee.keepsAside else { return }
        if count > state.pointee.options.maximumTextLength {
            return state.pointee.failOnText("an instruction")
        }
        let name = state.pointee.builder.names.number(target, nil, nil)
        let line = state.pointee.line
        state.pointee.builder.addAside(.instruction, name: name, text, count: count, line: line)
    }
}

extension ParserState {
    mutating func failOnText(_ what: String) {
        fail(.textLength, "\(what) is longer than \(options.maximumTextLength) bytes")
    }

    /// Whether comments and instructions are stored now; those inside the document type aren't.
    var keepsAside: Bool {
        isKeeping && failure == nil && (context?.pointee.inSubset ?? 0) == 0
    }
}
