/// Documents made to hurt.
enum Hostile {
    static let billionLaughs: String = {
        var entities = "<!ENTITY l0 'lollollollol'>"
        for level in 1...12 {
            entities += "<!ENTITY l\(level) '" + String(repeating: "&l\(level - 1);", count: 10) + "'>"
        }
        return "<!DOCTYPE a [\(entities)]>\n<a>&l12;</a>"
    }()

    static let attributeLaughs = billionLaughs.replacing("<a>&l12;</a>", with: "<a b='&l12;'/>")

    static let quadratic =
        "<!DOCTYPE a [<!ENTITY e '" + String(repeating: "<b/>", count: 25_000) + "'>]>\n<a>"
        + String(repeating: "&e;", count: 10_000) + "</a>"

    static let defaults =
        "<!DOCTYPE a [<!ATTLIST b c CDATA '" + String(repeating: "x", count: 100_000) + "'>]>\n<a>"
        + String(repeating: "<b/>", count: 10_000) + "</a>"

    static let parameterLaughs: String = {
        var entities = "<!ENTITY % p0 '<!ELEMENT x ANY>'>"
        for level in 1...12 {
            entities += "<!ENTITY % p\(level) '" + String(repeating: "&#37;p\(level - 1);", count: 10) + "'>"
        }
        return "<!DOCTYPE a [\(entities)\n%p12;]>\n<a/>"
    }()

    static let loop = "<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]>\n<a>&e;</a>"

    static let deep = String(repeating: "<a>", count: 100_000)

    static func attributes(_ count: Int) -> String {
        "<r>\n<a" + (0..<count).map { " a\($0)=''" }.joined() + "/></r>"
    }

    static let hiddenAttributes =
        "<!DOCTYPE a [<!ENTITY e \"&#60;a" + (0..<20_000).map { " a\($0)=''" }.joined()
        + "/>\">]>\n<a>&e;</a>"

    static let text = "<a>\n" + String(repeating: "0123456789", count: 1_000_001) + "</a>"

    /// An attribute of ten characters more than `length`.
    static func attribute(length: Int) -> String {
        "<a>\n<b c='" + String(repeating: "0123456789", count: length / 10 + 1) + "'/></a>"
    }

    static let longComment = "<a>\n<!--" + String(repeating: "0123456789", count: 1_000_001) + "--></a>"

    static let name = "<a>\n<" + String(repeating: "b", count: 20_000) + "/></a>"
}
