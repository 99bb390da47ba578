import CLibXML2

/// The messages for libxml2's XPath error codes, which come without text.
///
/// ``QueryGrammar`` has refused malformed expressions before.
enum QueryMessage {
    static func text(of code: xmlXPathError) -> String {
        switch code {
        case XPATH_UNDEF_VARIABLE_ERROR: "there is no variable of that name"
        case XPATH_INVALID_OPERAND: "an operand is of the wrong kind"
        case XPATH_INVALID_TYPE: "an argument or operand is of the wrong kind"
        case XPATH_ENCODING_ERROR, XPATH_INVALID_CHAR_ERROR: "a character isn't allowed in an expression"
        case XPATH_MEMORY_ERROR: "there is no memory for the query"
        default: "the expression is malformed"
        }
    }
}
