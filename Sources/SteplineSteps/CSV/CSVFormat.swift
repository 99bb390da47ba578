/// The format of comma-separated values.
///
/// The reader accepts RFC 4180 and the output of spreadsheets: quoted fields with separators, line breaks and doubled
/// quotes; lines that end with CR LF, LF or CR; UTF-8 with or without byte order mark; a first line `sep=;`. The writer
/// quotes only where necessary, and ends lines with CR LF.
public struct CSVFormat: Sendable, Hashable {
    /// The field separator: any ASCII character except quotes and line breaks.
    public var separator: Character
    /// Whether the first line contains the names of the fields; true by default.
    ///
    /// Without names, the names are the positions from 0.
    public var hasHeader: Bool
    /// The largest size of a record in bytes, 16 MiB by default; a larger record is an error `.tooLarge`.
    public var maximumRecordSize: Int

    /// Creates a format.
    public init(separator: Character = ",", hasHeader: Bool = true, maximumRecordSize: Int = 16 << 20) {
        self.separator = separator
        self.hasHeader = hasHeader
        self.maximumRecordSize = maximumRecordSize
    }

    /// The separator as a byte; nil if it is invalid.
    var separatorByte: UInt8? {
        guard let byte = separator.asciiValue, byte >= 0x20 || byte == 0x09, byte != 0x22, byte != 0x7F else {
            return nil
        }
        return byte
    }

    /// The errors in the settings, for the pipeline's check.
    var problems: [String] {
        separatorByte == nil ? ["the separator \"\(separator)\" is no ASCII character that can be one"] : []
    }
}
