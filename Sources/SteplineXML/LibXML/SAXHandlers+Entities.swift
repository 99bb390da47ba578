import CLibXML2

/// Entities: internal ones are kept by libxml2 and expand within a limit, external ones are never even declared.
extension SAXHandlers {
    static func startDocument(_ state: State) {
        guard let context = state.pointee.context else { return }
        // The document holds the declared entities and nothing else.
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
    }

    static func entityDeclaration(
        _ context: UnsafeMutableRawPointer?, _ name: Bytes?, _ type: Int32, _ publicID: Bytes?,
        _ systemID: Bytes?,
        _ content: UnsafeMutablePointer<xmlChar>?
    ) {
        guard let state = state(context), let parser = state.pointee.context, let content else { return }
        state.pointee.checkDictionary()
        let kind = xmlEntityType(UInt32(bitPattern: type))
        guard kind == XML_INTERNAL_GENERAL_ENTITY || kind == XML_INTERNAL_PARAMETER_ENTITY else { return }
        guard !TagGuard.isCrowded(content, limit: state.pointee.options.maximumAttributes) else {
            return state.pointee.fail(.attributes, "an entity holds more attributes than an element may have")
        }
        xmlSAX2EntityDecl(UnsafeMutableRawPointer(parser), name, type, publicID, systemID, content)
    }

    static func entity(_ context: UnsafeMutableRawPointer?, _ name: Bytes?) -> xmlEntityPtr? {
        guard let state = state(context), let name, state.pointee.failure == nil else { return nil }
        guard let entity = xmlGetDocEntity(state.pointee.context?.pointee.myDoc, name) else {
            unknown(state, name)
            return nil
        }
        // The reference itself was paid for where it stands: in the input, or in another entity's content.
        return state.pointee.expand(by: Int(entity.pointee.length) - Int(xmlStrlen(name)) - 2) ? entity : nil
    }

    /// A reference that stands for nothing known must not vanish from the text.
    private static func unknown(_ state: State, _ name: Bytes) {
        let message = "entity '\(String(cString: name))' is undeclared or external, and isn't read"
        guard state.pointee.options.isLenient else { return state.pointee.fail(.entity, message) }
        guard state.pointee.problems.count < 1_000 else { return }
        let line = Int(state.pointee.line)
        state.pointee.problems.append(XMLError(.entity, message, line: line > 0 ? line : nil))
    }

    static func parameterEntity(_ context: UnsafeMutableRawPointer?, _ name: Bytes?) -> xmlEntityPtr? {
        guard let state = state(context), state.pointee.failure == nil,
            let entity = xmlGetParameterEntity(state.pointee.context?.pointee.myDoc, name)
        else { return nil }
        return state.pointee.expand(by: Int(entity.pointee.length)) ? entity : nil
    }
}
