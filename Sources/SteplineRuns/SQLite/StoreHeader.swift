/// The header of a store's file, for checks that change nothing.
struct StoreHeader {
    private let bytes: [UInt8]

    /// Creates the header from the first 100 bytes of a file.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Throws an error if the file isn't a store that this program can use.
    ///
    /// - Parameters:
    ///   - size: The size of the file; nil if a log has pages that aren't in the file yet.
    ///   - store: The name of the store in errors.
    /// - Throws: A `RunStoreError`.
    func check(size: Int?, store: String) throws {
        func refusal(_ code: RunStoreError.Code, _ detail: String) -> RunStoreError {
            RunStoreError(code, store: store, detail)
        }
        guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw refusal(
                .notAStore, "it isn't a store of runs, but a file of some other kind; it is left as it is")
        }
        // Offset 68: SQLite's application identifier.
        guard number(at: 68) == Layout.mark else {
            throw refusal(
                .notAStore, "it is a database of SQLite's, but no store of runs; it is left as it is")
        }
        // Offset 60: SQLite's user version, which numbers the layouts.
        let layout = Int(number(at: 60))
        if layout > Layout.version { throw Self.newer(layout, store: store) }
        guard layout > 0 else { throw refusal(.damaged, "it is damaged: its header names no layout") }
        // SQLite completes a cut page with zeros. Missing pages are found by SQLite, see `StoreFile.explainingCuts`.
        if let size, size < self.size, !size.isMultiple(of: page) {
            throw refusal(.damaged, Self.cut(self.size, to: size) + "; it is left as it is")
        }
    }

    /// The size of the file in bytes once no log is left.
    var size: Int { page * Int(number(at: 28)) }  // offset 28: the number of pages

    /// The size of a page in bytes.
    private var page: Int { Int(bytes[16]) << 8 | Int(bytes[17]) }

    /// Describes a file of which a part is missing.
    static func cut(_ whole: Int, to size: Int) -> String {
        "it is damaged: of \(whole) bytes it has \(size)"
    }

    static func newer(_ layout: Int, store: String) -> RunStoreError {
        RunStoreError(
            .newerLayout, store: store,
            "it was made by a later version of Stepline: its layout is \(layout), and this version knows "
                + "those up to \(Layout.version); it is left as it is")
    }

    private func number(at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
