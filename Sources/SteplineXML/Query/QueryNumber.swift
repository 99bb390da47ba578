import CLibXML2

/// Formats numbers as required by XPath 1.0, without exponent; libxml2 writes `1e+10`.
enum QueryNumber {
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if let whole = Int(exactly: number) { return String(whole) }
        let parts = number.description.split(separator: "e", maxSplits: 1)
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return number.description.hasSuffix(".0")
                ? String(number.description.dropLast(2)) : number.description
        }
        let mantissa = parts[0].drop { $0 == "-" }
        let digits = mantissa.filter { $0 != "." }.drop { $0 == "0" }
        let fraction = mantissa.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        let trimmed = fraction == "0" ? String(digits.dropLast()) : String(digits)
        // The position of the decimal point, counted from the first digit.
        let point = trimmed.count - (fraction == "0" ? 0 : fraction.count) + exponent
        let sign = number < 0 ? "-" : ""
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + trimmed }
        if point >= trimmed.count {
            return sign + trimmed + String(repeating: "0", count: point - trimmed.count)
        }
        return sign + trimmed.prefix(point) + "." + trimmed.dropFirst(point)
    }

    /// Replaces the functions that convert numbers to texts.
    static func register(in context: xmlXPathContextPtr) {
        // An existing function must be removed first.
        for name in ["string", "concat"] { xmlXPathRegisterFunc(context, name, nil) }
        xmlXPathRegisterFunc(context, "string") { parser, count in
            guard let parser, count == 1, parser.pointee.value?.pointee.type == XPATH_NUMBER,
                let number = valuePop(parser)
            else { return xmlXPathStringFunction(parser, count) }
            valuePush(parser, xmlXPathNewString(QueryNumber.text(number.pointee.floatval)))
            xmlXPathFreeObject(number)
        }
        xmlXPathRegisterFunc(context, "concat") { parser, count in
            guard let parser, count >= 2 else { return xmlXPathConcatFunction(parser, count) }
            var texts: [String] = []
            for _ in 0..<count {
                guard let value = valuePop(parser) else {
                    return xmlXPathErr(parser, Int32(XPATH_STACK_ERROR.rawValue))
                }
                texts.append(QueryNumber.text(of: value))
                xmlXPathFreeObject(value)
            }
            valuePush(parser, xmlXPathNewString(texts.reversed().joined()))
        }
    }

    private static func text(of value: xmlXPathObjectPtr) -> String {
        if value.pointee.type == XPATH_NUMBER { return text(value.pointee.floatval) }
        guard let text = xmlXPathCastToString(value) else { return "" }
        defer { stepline_xml_free(text) }
        return String(cString: text)
    }
}
