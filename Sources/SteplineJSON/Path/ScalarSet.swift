/// A set of characters as a pattern names it.
struct ScalarSet: Sendable {
    enum Part: Sendable {
        case range(ClosedRange<UInt32>)
        /// Categories by the first letters of their names, and whether those outside are meant.
        case category(String, isComplement: Bool)
    }

    var parts: [Part]
    var isNegated = false

    /// All but line ends.
    static let dot = ScalarSet(parts: [.range(0x0A...0x0A), .range(0x0D...0x0D)], isNegated: true)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        for part in parts {
            switch part {
            case .range(let range):
                if range.contains(scalar.value) { return !isNegated }
            case .category(let name, let isComplement):
                if ScalarSet.name(of: scalar).hasPrefix(name) != isComplement { return !isNegated }
            }
        }
        return isNegated
    }

    /// The categories that a pattern may name.
    static let categories: Set<String> = [
        "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc", "Pd",
        "Pe", "Pf",
        "Pi", "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C", "Cc", "Cf", "Cn", "Co",
    ]

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
