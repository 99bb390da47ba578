import CLibXML2

/// The messages for libxml2's XPath error codes, which come without text.
enum QueryMessage {
    static func text(of code: xmlXPathError) -> String {
        switch code {
        case XPATH_NUMBER_ERROR: "a number is malformed"
        case XPATH_UNFINISHED_LITERAL_ERROR: "a text isn't closed"
        case XPATH_VARIABLE_REF_ERROR: "the name of a variable is missing"
        case XPATH_UNDEF_VARIABLE_ERROR: "there is no variable of that name"
        case XPATH_INVALID_PREDICATE_ERROR: "a predicate isn't closed or is malformed"
        case XPATH_UNCLOSED_ERROR: "a bracket isn't closed"
        case XPATH_UNKNOWN_FUNC_ERROR: "there is no function of that name"
        case XPATH_INVALID_OPERAND: "an operand is of the wrong kind"
        case XPATH_INVALID_TYPE: "an argument or operand is of the wrong kind"
        case XPATH_INVALID_ARITY: "a function has too few arguments, or too many"
        case XPATH_UNDEF_PREFIX_ERROR: "a prefix isn't bound to a namespace"
        case XPATH_ENCODING_ERROR, XPATH_INVALID_CHAR_ERROR: "a character isn't allowed in an expression"
        case XPATH_MEMORY_ERROR: "there is no memory for the query"
        default: "the expression is malformed"
        }
    }
}
