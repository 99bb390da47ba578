#if SIMDJSON
    import CSimdJSON
    import Foundation

    /// The parser of simdjson, which fills the same tape.
    ///
    /// What it doesn't take, and every document with duplicate keys, is left to ``TapeParser``, which alone knows
    /// what is wrong, and where.
    enum SIMDParser {
        /// The words of a document's tape; nil if the other parser is to look at it.
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
