import CLibXML2

extension XMLError {
    /// Creates the error for a report of libxml2.
    init(libxml report: stepline_xml_report, context: xmlParserCtxtPtr?) {
        let code = xmlParserErrors(UInt32(bitPattern: report.pointee.code))
        let message = LibXML.message(report.pointee.message)
        var line = Int(report.pointee.line)
        var column = Int(report.pointee.int2)
        // Entities have a parser context of their own, whose lines are meaningless to users.
        if let context, report.pointee.ctxt != UnsafeMutableRawPointer(context),
            let input = context.pointee.input
        {
            line = Int(input.pointee.line)
            column = Int(input.pointee.col)
        }
        let isAtEnd = context.flatMap(\.pointee.input).map { $0.pointee.cur >= $0.pointee.end } ?? false
        let limit = Self.limit(code, message)
        self.init(
            limit == nil ? Self.code(code, isAtEnd: isAtEnd) : .limit, message, line: line > 0 ? line : nil,
            column: column > 0 ? column : nil, limit: limit)
    }

    /// The largest number of problems in a lenient parse.
    static let maximumProblems = 1_000

    /// Returns whether a report may concern one of libxml2's limits; creating an error for each report would be slow.
    static func mayBeLimit(_ report: stepline_xml_report) -> Bool {
        switch xmlParserErrors(UInt32(bitPattern: report.pointee.code)) {
        case XML_ERR_ENTITY_LOOP, XML_ERR_ATTRIBUTE_NOT_FINISHED, XML_ERR_NAME_TOO_LONG,
            XML_ERR_INTERNAL_ERROR,
            XML_ERR_NO_MEMORY, XML_ERR_ENTITY_NOT_FINISHED, XML_ERR_ELEMCONTENT_NOT_FINISHED,
            XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_CDATA_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED:
            true
        default: false
        }
    }

    private static func limit(_ code: xmlParserErrors, _ message: String) -> Limit? {
        switch code {
        case XML_ERR_ENTITY_LOOP: .entityExpansion
        case XML_ERR_ATTRIBUTE_NOT_FINISHED where message.contains("too long"): .textLength
        case XML_ERR_ENTITY_NOT_FINISHED where message.contains("too long"): .textLength
        case XML_ERR_ELEMCONTENT_NOT_FINISHED where message.contains("too deep"): .depth
        case XML_ERR_NAME_TOO_LONG: .nameLength
        case XML_ERR_INTERNAL_ERROR where message.contains("depth"): .depth
        case XML_ERR_INTERNAL_ERROR where message.contains("Huge input lookup"): .textLength
        case XML_ERR_NO_MEMORY where message.contains("huge text"): .textLength
        case XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_CDATA_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED:
            message.contains("too big found") || message.contains("CData section too big") ? .textLength : nil
        default: nil
        }
    }

    private static func code(_ code: xmlParserErrors, isAtEnd: Bool) -> Code {
        switch code {
        case XML_ERR_DOCUMENT_EMPTY where isAtEnd: .truncated
        case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY, XML_ERR_ENTITY_IS_EXTERNAL: .entity
        case XML_NS_ERR_UNDEFINED_NAMESPACE, XML_NS_ERR_XML_NAMESPACE, XML_NS_ERR_QNAME, XML_NS_ERR_EMPTY,
            XML_NS_ERR_ATTRIBUTE_REDEFINED, XML_NS_ERR_COLON:
            .namespace
        case XML_ERR_INVALID_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING: .encoding
        case XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED, XML_ERR_GT_REQUIRED, XML_ERR_LT_REQUIRED,
            XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_CDATA_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED,
            XML_ERR_ATTRIBUTE_NOT_FINISHED, XML_ERR_NAME_REQUIRED, XML_ERR_DOCTYPE_NOT_FINISHED,
            XML_ERR_LTSLASH_REQUIRED, XML_ERR_ENTITY_NOT_FINISHED, XML_ERR_LITERAL_NOT_FINISHED:
            isAtEnd ? .truncated : .malformed
        default: .malformed
        }
    }
}
