/// How comma-separated values are written.
///
/// Reading takes what RFC 4180 describes and what spreadsheets write: fields in quotes with separators, line
/// ends and doubled quotes in them, lines that end with CR LF, LF or CR, UTF-8 with or without byte order mark, a
/// first line `sep=;`. Writing quotes only what must be, and ends lines with CR LF.
public struct CSVFormat: Sendable, Hashable {
    /// What stands between fields: a comma, a semicolon where a comma is the decimal sign, a tab, or any other
    /// ASCII character but a quote or a line end.
    public var separator: Character
    /// Whether the first line names the fields.
    ///
    /// Default: true. Without names the fields are named by their positions from 0.
    public var hasHeader: Bool
    /// How many bytes one record may have; more is `.tooLarge`.
    ///
    /// Default: 16 MiB.
    public var maximumRecordSize: Int

    /// Makes a format; each setting has its default.
    public init(separator: Character = ",", hasHeader: Bool = true, maximumRecordSize: Int = 16 << 20) {
        self.separator = separator
        self.hasHeader = hasHeader
        self.maximumRecordSize = maximumRecordSize
    }

    /// The separator's byte; nil if it can be none.
    var separatorByte: UInt8? {
        guard let byte = separator.asciiValue, byte >= 0x20 || byte == 0x09, byte != 0x22, byte != 0x7F else {
            return nil
        }
        return byte
    }

    /// What is wrong with the settings, as a pipeline's check tells it.
    var problems: [String] {
        separatorByte == nil ? ["the separator \"\(separator)\" is no ASCII character that can be one"] : []
    }
}
