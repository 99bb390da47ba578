import Foundation

/// The strict RFC 8259 parser: one pass over padded UTF-8, without recursion.
///
/// `document(_:)` reads one value after the other and appends a ``Word`` for each value and key. The tape itself is
/// the stack. While a container is open, its header holds the index of the enclosing container's header (`upper`)
/// and the number of members before the innermost open child (`lower`). Closing the container replaces both by the
/// span and the final count.
///
/// | local | content |
/// |---|---|
/// | `p` | the next byte to read |
/// | `depth` | the number of open containers |
/// | `open` | the header of the innermost one |
/// | `inObject`, `members` | its kind, and its members so far |
///
/// Invariants: the source is followed by `Tape.padding` zero bytes, which end every scanner, so the loop needs no
/// bounds checks. A zero byte is never valid, so an error at or beyond the end is reported as `.unexpectedEnd`.
/// There is always room for a key and a value when one is read.
///
/// Objects are checked for duplicate keys as they close; see ``DuplicateKeys``. Strings and numbers are validated but
/// not converted. Cost: linear in the source. A parser is used by one thread, and is released by `takeWords()` or
/// `discard()`.
struct TapeParser {
    struct Failure {
        let code: JSONError.Code
        let offset: Int
    }

    let base: UnsafePointer<UInt8>
    let count: Int
    let maximumDepth: Int
    let refusesDuplicates: Bool
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var used = 0
    private var capacity: Int
    private var failure: (code: JSONError.Code, at: UnsafePointer<UInt8>)?
    private var duplicates = DuplicateKeys()

    /// Allocates the tape; nil if memory is short.
    ///
    /// `base` must be followed by `Tape.padding` zero bytes.
    init?(base: UnsafePointer<UInt8>, count: Int, maximumDepth: Int, refusesDuplicates: Bool) {
        self.base = base
        self.count = count
        self.maximumDepth = maximumDepth
        self.refusesDuplicates = refusesDuplicates
        capacity = max(32, count / 8)
        guard let block = malloc(capacity &* 8) else { return nil }
        words = block.assumingMemoryBound(to: UInt64.self)
    }

    /// Frees the tape; call it unless `takeWords()` was called.
    mutating func discard() {
        free(words)
        duplicates.release()
    }

    /// Transfers the tape to the caller, shrunk to its used size.
    mutating func takeWords() -> UnsafeMutablePointer<UInt64> {
        duplicates.release()
        guard capacity - used > 1024 || used * 2 < capacity,
            let cut = realloc(words, max(used, 1) * 8)
        else { return words }
        return cut.assumingMemoryBound(to: UInt64.self)
    }

    /// Parses the whole source; returns nil on success.
    mutating func run() -> Failure? {
        guard let end = document(base) else { return failed(at: base + count) }
        let rest = Scan.skipSpace(end)
        return rest == base + count ? nil : Failure(code: .trailingText, offset: rest - base)
    }

    private func failed(at fallback: UnsafePointer<UInt8>) -> Failure {
        let (code, place) = failure ?? (.unexpectedCharacter, fallback)
        // The scanner stopped at the padding: the text is truncated, unless a limit was the problem.
        let atEnd = place >= base + count && code != .tooDeep && code != .outOfMemory && code != .duplicateKey
        return Failure(code: atEnd ? .unexpectedEnd : code, offset: min(place - base, count))
    }

    @inline(never)
    private mutating func fail(_ code: JSONError.Code, _ place: UnsafePointer<UInt8>) {
        failure = (code, place)
    }

    @inline(never)
    private mutating func grow(_ place: UnsafePointer<UInt8>) -> Bool {
        let newCapacity = capacity &* 2
        guard let block = realloc(words, newCapacity &* 8) else {
            fail(.outOfMemory, place)
            return false
        }
        words = block.assumingMemoryBound(to: UInt64.self)
        capacity = newCapacity
        return true
    }

    /// Parses one value and returns the address after it; nil after `fail`.
    private mutating func document(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var p = Scan.skipSpace(start)
        let base = base
        var depth = 0
        var open = 0  // the header of the innermost open container
        var inObject = false
        var members = 0  // the members of that container so far

        value: while true {
            // Reserve a word for the value and one for a key.
            if used &+ 2 >= capacity, !grow(p) { return nil }
            switch p.pointee {
            case UInt8(ascii: "\""):
                guard let end = text(p + 1) else { return nil }
                p = end
            case UInt8(ascii: "-"), 0x30...0x39:
                let number = Scan.number(p)
                guard number.isValid else {
                    fail(.invalidNumber, number.end)
                    return nil
                }
                words[used] =
                    Word(number.isInteger ? .integer : .real, upper: number.end - p, lower: p - base).raw
                used &+= 1
                p = number.end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = p.pointee == UInt8(ascii: "{")
                if depth == maximumDepth {
                    fail(.tooDeep, p)
                    return nil
                }
                p = Scan.skipSpace(p + 1)
                if p.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    words[used] = Word(isObject ? .object : .array, upper: 1, lower: 0).raw
                    used &+= 1
                    p += 1
                    break
                }
                if depth > 0 {
                    // Save the count of the enclosing container until this one closes.
                    words[open] = Word(raw: words[open]).withMembers(members).raw
                }
                words[used] = Word(isObject ? .object : .array, upper: open, lower: 0).raw
                open = used
                used &+= 1
                depth &+= 1
                inObject = isObject
                members = 0
                if isObject {
                    guard let end = key(p) else { return nil }
                    p = end
                }
                continue value
            case UInt8(ascii: "t"):
                guard Scan.word(p) == Scan.true else { return unexpected(p) }
                words[used] = Word(.yes, upper: 0, lower: p - base).raw
                used &+= 1
                p += 4
            case UInt8(ascii: "n"):
                guard Scan.word(p) == Scan.null else { return unexpected(p) }
                words[used] = Word(.null, upper: 0, lower: p - base).raw
                used &+= 1
                p += 4
            case UInt8(ascii: "f"):
                guard Scan.word(p + 1) == Scan.alse else { return unexpected(p) }
                words[used] = Word(.no, upper: 0, lower: p - base).raw
                used &+= 1
                p += 5
            default:
                return unexpected(p)
            }

            while true {  // a value has ended at p
                if depth == 0 { return p }
                members &+= 1
                p = Scan.skipSpace(p)
                let byte = p.pointee
                if byte == UInt8(ascii: ",") {
                    p = Scan.skipSpace(p + 1)
                    if inObject {
                        if used &+ 2 >= capacity, !grow(p) { return nil }
                        guard let end = key(p) else { return nil }
                        p = end
                    }
                    continue value
                }
                guard byte == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return unexpected(p) }
                p += 1
                // The header still holds the index of the enclosing header, which the span replaces.
                let outer = Word(raw: words[open]).upper
                if inObject {
                    words[open] = Word(.object, upper: used &- open, lower: members).raw
                    if members > 1, duplicates.mayContain(words, open, base), !resolve(open) { return nil }
                } else {
                    words[open] = Word(.array, upper: used &- open, lower: members).raw
                }
                depth &-= 1
                open = outer
                if depth > 0 {
                    let header = Word(raw: words[open])
                    inObject = header.isObject
                    members = header.lower
                }
            }
        }
    }

    @inline(never)
    private mutating func unexpected(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        fail(.unexpectedCharacter, place)
        return nil
    }

    /// Appends the string whose opening quote precedes `start`, and returns the address after its closing quote.
    @inline(__always)
    private mutating func text(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        let stop = Scan.firstSpecial(start)
        if stop.pointee == UInt8(ascii: "\"") {
            words[used] = Word(.text, upper: stop - start, lower: start - base).raw
            used &+= 1
            return stop + 1
        }
        return slowText(start, from: stop)
    }

    @inline(never)
    private mutating func slowText(
        _ start: UnsafePointer<UInt8>, from stop: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        let rest = Scan.restOfText(stop)
        guard rest.problem == nil else {
            fail(rest.problem ?? .unexpectedCharacter, rest.end)
            return nil
        }
        words[used] =
            Word(rest.isEscaped ? .escapedText : .text, upper: rest.end - start, lower: start - base).raw
        used &+= 1
        return rest.end + 1
    }

    /// Appends a key, and returns the address of its value.
    @inline(__always)
    private mutating func key(_ p: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard p.pointee == UInt8(ascii: "\"") else { return unexpected(p) }
        guard let end = text(p + 1) else { return nil }
        var colon = end
        if colon.pointee != UInt8(ascii: ":") {
            colon = Scan.skipSpace(colon)
            guard colon.pointee == UInt8(ascii: ":") else { return unexpected(colon) }
        }
        return Scan.skipSpace(colon + 1)
    }

    @inline(never)
    private mutating func resolve(_ object: Int) -> Bool {
        guard let first = duplicates.firstDuplicate(words, object, base) else { return true }
        if refusesDuplicates {
            fail(.duplicateKey, base + Word(raw: words[first]).lower - 1)
            return false
        }
        used = duplicates.removeEarlier(words, object, base)
        return true
    }
}

extension Word {
    /// Returns the header of an open container with an updated count.
    @inline(__always)
    fileprivate func withMembers(_ count: Int) -> Word {
        Word(raw: raw & ~Word.fieldMask | UInt64(truncatingIfNeeded: count))
    }
}
