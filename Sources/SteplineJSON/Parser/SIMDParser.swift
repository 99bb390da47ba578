#if SIMDJSON
    import CSimdJSON
    import Foundation

    /// A parser based on simdjson, which produces the same tape.
    ///
    /// For malformed documents and those with duplicate keys it returns nil. ``TapeParser`` then parses them again and
    /// finds the exact error, or resolves the duplicates.
    enum SIMDParser {
        /// Returns the words of a document's tape; nil if ``TapeParser`` must parse the document.
        static func words(
            of source: Source, maximumDepth: Int
        ) -> (words: UnsafeMutablePointer<UInt64>, count: Int)? {
            var block: UnsafeMutablePointer<UInt64>?
            let count = csimdjson_parse(source.start, source.count, maximumDepth, &block)
            guard count > 0, let words = block else { return nil }
            guard !hasDuplicates(words, count, UnsafePointer(source.start)) else {
                free(words)
                return nil
            }
            return (words, count)
        }

        private static func hasDuplicates(
            _ words: UnsafeMutablePointer<UInt64>, _ count: Int, _ base: UnsafePointer<UInt8>
        ) -> Bool {
            let duplicates = DuplicateKeys()
            defer { duplicates.release() }
            for index in 0..<count {
                let word = Word(raw: words[index])
                guard word.isObject, word.lower > 1, duplicates.mayContain(words, index, base) else {
                    continue
                }
                if duplicates.firstDuplicate(words, index, base) != nil { return true }
            }
            return false
        }
    }
#endif
