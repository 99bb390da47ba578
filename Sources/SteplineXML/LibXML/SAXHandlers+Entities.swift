import CLibXML2

/// The entity callbacks: libxml2 stores internal entities, which expand within a limit; external ones are never loaded.
/// An external parameter entity is declared as empty, so that references to it are skipped.
extension SAXHandlers {
    static func startDocument(_ state: State) {
        guard let context = state.pointee.context else { return }
        // libxml2's document holds only the declared entities.
        xmlSAX2StartDocument(UnsafeMutableRawPointer(context))
        state.pointee.info.version = context.pointee.version.map { String(cString: $0) }
        state.pointee.info.isStandalone =
            context.pointee.standalone < 0 ? nil : context.pointee.standalone == 1
    }

    static func internalSubset(
        _ context: UnsafeMutableRawPointer?, _ name: Bytes?, _ publicID: Bytes?, _ systemID: Bytes?
    ) {
        guard let state = state(context), let name, let parser = state.pointee.context else { return }
        xmlSAX2InternalSubset(UnsafeMutableRawPointer(parser), name, publicID, systemID)
        state.pointee.info.doctype = XML.DocumentType(
            name: String(cString: name), publicID: publicID.map { String(cString: $0) },
            systemID: systemID.map { String(cString: $0) })
        if let input = parser.pointee.input, let start = input.pointee.cur, let end = input.pointee.end {
            state.pointee.refuseCrowdedSubset(UnsafeBufferPointer(start: start, count: end - start))
        }
    }

    /// Handles an attribute declaration.
    ///
    /// The callback must free the list of values.
    static func attributeDeclaration(
        _ context: UnsafeMutableRawPointer?, _ element: Bytes?, _ name: Bytes?, _ type: Int32,
        _ values: xmlEnumerationPtr?
    ) {
        if let values { xmlFreeEnumeration(values) }
        guard let state = state(context), let element, let name, state.pointee.checkProgress() else { return }
        state.pointee.countDeclaration(of: element)
        if type == Int32(XML_ATTRIBUTE_ID.rawValue) {
            state.pointee.info.declareID(String(cString: name), of: String(cString: element))
        }
    }

    static func entityDeclaration(
        _ context: UnsafeMutableRawPointer?, _ name: Bytes?, _ type: Int32, _ publicID: Bytes?,
        _ systemID: Bytes?,
        _ content: UnsafeMutablePointer<xmlChar>?
    ) {
        guard let state = state(context), let parser = state.pointee.context, state.pointee.checkProgress()
        else { return }
        state.pointee.checkDictionary()
        let kind = xmlEntityType(UInt32(bitPattern: type))
        if kind == XML_EXTERNAL_PARAMETER_ENTITY, let name {
            // The entity is empty: a reference is legal, and a parser without external entities skips it.
            return declareEmpty(name, in: UnsafeMutableRawPointer(parser))
        }
        guard let content else { return }
        guard kind == XML_INTERNAL_GENERAL_ENTITY || kind == XML_INTERNAL_PARAMETER_ENTITY else { return }
        guard !TagGuard.isCrowded(content, limit: state.pointee.options.maximumAttributes) else {
            return state.pointee.fail(.attributes, "an entity holds more attributes than an element may have")
        }
        state.pointee.refuseCrowdedEntity(content)
        xmlSAX2EntityDecl(UnsafeMutableRawPointer(parser), name, type, publicID, systemID, content)
    }

    private static func declareEmpty(_ name: Bytes, in parser: UnsafeMutableRawPointer) {
        var nothing: xmlChar = 0
        xmlSAX2EntityDecl(
            parser, name, Int32(XML_INTERNAL_PARAMETER_ENTITY.rawValue), nil, nil, &nothing)
    }

    static func entity(_ context: UnsafeMutableRawPointer?, _ name: Bytes?) -> xmlEntityPtr? {
        guard let state = state(context), let name, state.pointee.checkProgress() else { return nil }
        guard
            let entity = xmlGetDocEntity(state.pointee.context?.pointee.myDoc, name)
                ?? ofHTML(state, name)
        else {
            unknown(state, name)
            return nil
        }
        // The reference itself was counted in the input or in the enclosing entity.
        return state.pointee.expand(by: Int(entity.pointee.length) - Int(xmlStrlen(name)) - 2) ? entity : nil
    }

    /// Returns an HTML character, declaring it on first use.
    private static func ofHTML(_ state: State, _ name: Bytes) -> xmlEntityPtr? {
        guard state.pointee.options.knowsHTMLCharacters, let document = state.pointee.context?.pointee.myDoc,
            let character = HTMLCharacter.named(String(cString: name))
        else { return nil }
        if document.pointee.intSubset == nil { xmlCreateIntSubset(document, "html", nil, nil) }
        if state.pointee.problems.count < XMLError.maximumProblems {
            let message = "entity '\(String(cString: name))' is undeclared, and is taken for HTML's"
            state.pointee.problems.append(XMLError(.entity, message, line: Int(state.pointee.line)))
        }
        let content = String(Character(character))
        return xmlAddDocEntity(
            document, name, Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue), nil, nil, content)
    }

    /// Handles an unknown reference, which must not vanish from the text silently.
    private static func unknown(_ state: State, _ name: Bytes) {
        let message = "entity '\(String(cString: name))' is undeclared or external, and isn't read"
        guard state.pointee.options.isLenient else { return state.pointee.fail(.entity, message) }
        guard state.pointee.problems.count < XMLError.maximumProblems else { return }
        let line = Int(state.pointee.line)
        state.pointee.problems.append(XMLError(.entity, message, line: line > 0 ? line : nil))
    }

    static func parameterEntity(_ context: UnsafeMutableRawPointer?, _ name: Bytes?) -> xmlEntityPtr? {
        guard let state = state(context), state.pointee.checkProgress(), let parser = state.pointee.context,
            let entity = xmlGetParameterEntity(parser.pointee.myDoc, name)
        else { return nil }
        // libxml2 detects recursion only at depth 40, after exponential work.
        for index in 0..<max(0, Int(parser.pointee.inputNr))
        where parser.pointee.inputTab?[index]?.pointee.base == UnsafePointer(entity.pointee.content) {
            state.pointee.fail(.entityExpansion, "an entity holds itself")
            return nil
        }
        guard state.pointee.expand(by: Int(entity.pointee.length) + 1) else { return nil }
        if let content = entity.pointee.content { state.pointee.refuseCrowdedEntity(content) }
        return state.pointee.failure == nil ? entity : nil
    }
}
