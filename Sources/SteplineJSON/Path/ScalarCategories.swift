/// A set of Unicode's general categories.
struct ScalarCategories: OptionSet, Sendable {
    let rawValue: UInt32

    private static let names = [
        "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf",
        "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
    ]

    /// Makes the set for a category, or for all categories with an initial letter; nil for an unknown name.
    init?(named name: String) {
        var value: UInt32 = 0
        for (number, other) in Self.names.enumerated()
        where other == name || name.utf8.count == 1 && other.hasPrefix(name) {
            value |= 1 << UInt32(number)
        }
        guard value != 0 else { return nil }
        self.init(rawValue: value)
    }

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The set of all other categories.
    var complement: ScalarCategories { ScalarCategories(rawValue: ~rawValue) }

    init(of scalar: Unicode.Scalar) {
        let number: UInt32 =
            switch scalar.properties.generalCategory {
            case .uppercaseLetter: 0
            case .lowercaseLetter: 1
            case .titlecaseLetter: 2
            case .modifierLetter: 3
            case .otherLetter: 4
            case .nonspacingMark: 5
            case .spacingMark: 6
            case .enclosingMark: 7
            case .decimalNumber: 8
            case .letterNumber: 9
            case .otherNumber: 10
            case .connectorPunctuation: 11
            case .dashPunctuation: 12
            case .openPunctuation: 13
            case .closePunctuation: 14
            case .initialPunctuation: 15
            case .finalPunctuation: 16
            case .otherPunctuation: 17
            case .mathSymbol: 18
            case .currencySymbol: 19
            case .modifierSymbol: 20
            case .otherSymbol: 21
            case .spaceSeparator: 22
            case .lineSeparator: 23
            case .paragraphSeparator: 24
            case .control: 25
            case .format: 26
            case .privateUse: 27
            case .surrogate, .unassigned: 28
            @unknown default: 28
            }
        self.init(rawValue: 1 << number)
    }
}
