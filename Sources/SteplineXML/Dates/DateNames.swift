import Foundation

/// The names of months, weekdays and time zones in many languages.
enum DateNames {
    static func withoutAccents(_ word: String) -> String {
        word.folding(options: .diacriticInsensitive, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Returns the month of a name or an unambiguous prefix, from 1.
    static func month(_ word: String) -> Int? { months[word] }

    static func isWeekday(_ word: String) -> Bool { weekdays.contains(word) }

    /// Returns whether a word may stand between the parts of a date without meaning.
    static func isFiller(_ word: String) -> Bool {
        ["at", "on", "of", "the", "um", "de", "del", "alle", "om", "a", "o", "uhr"].contains(word)
    }

    static func zone(_ word: String) -> DateZone? { zones[word] }

    private static let months: [String: Int] = {
        let names = [
            ["january", "januar", "janvier", "enero", "gennaio", "janeiro", "jaenner"],
            ["february", "februar", "fevrier", "febrero", "febbraio", "fevereiro"],
            ["march", "marz", "maerz", "mrz", "mars", "marzo", "marco", "maart", "mrt"],
            ["april", "avril", "abril", "aprile"], ["may", "mai", "mayo", "maggio", "maio", "mei"],
            ["june", "juni", "juin", "junio", "giugno", "junho"],
            ["july", "juli", "juillet", "julio", "luglio", "julho"],
            ["august", "aout", "agosto", "augustus"],
            ["september", "septembre", "septiembre", "settembre", "setembro"],
            ["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
            ["november", "novembre", "noviembre", "novembro"],
            ["december", "dezember", "decembre", "diciembre", "dicembre", "dezembro"],
        ]
        var months: [String: Int] = [:]
        var ambiguous: Set<String> = []
        for (index, names) in names.enumerated() {
            for name in names {
                for length in min(3, name.count)...name.count {
                    let start = String(name.prefix(length))
                    if let other = months[start], other != index + 1 { ambiguous.insert(start) }
                    months[start] = index + 1
                }
            }
        }
        for start in ambiguous { months[start] = nil }
        return months
    }()

    private static let weekdays: Set<String> = {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return Set(names + names.map { String($0.prefix(3)) } + ["tues", "weds", "thur", "thurs"])
    }()

    /// The time zones by name.
    ///
    /// Names used for several distant zones are left out.
    private static let zones: [String: DateZone] = {
        let hours: [String: Double] = [
            "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "met": 1,
            "mest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "msd": 4, "sast": 2, "cat": 2,
            "eat": 3, "pkt": 5, "hkt": 8, "sgt": 8, "jst": 9, "kst": 9, "awst": 8, "acst": 9.5, "acdt": 10.5,
            "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3,
            "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
            "akst": -9, "akdt": -8, "hst": -10, "brt": -3,
        ]
        var zones = hours.mapValues { DateZone.offset(Int($0 * 3_600)) }
        for (name, hours) in ["et": -5, "ct": -6, "mt": -7, "pt": -8] {
            zones[name] = .american(hours * 3_600)
        }
        return zones
    }()
}
