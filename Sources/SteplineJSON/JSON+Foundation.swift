import Foundation

extension JSON {
    /// The value as `JSONSerialization` would return it; nil for `null`.
    ///
    /// The result casts to `[String: Any]`, `[Any]` and `String`. Numbers and Booleans cast to `NSNumber`, and
    /// therefore to `Int`, `Double`, `Bool` …. A `null` in a container is `NSNull`. Whole numbers beyond 64 bits and
    /// all fractions become doubles; numbers beyond the range of a double become decimals. Values nested more than
    /// 1,024 levels deep return nil, because releasing Foundation's objects would overflow the stack. Cost: one
    /// object per value.
    public var foundationObject: (any Sendable)? { isNull ? nil : FoundationObjects(tape: tape).make(index) }
}

/// Makes Foundation objects without recursion.
private struct FoundationObjects {
    /// A container being filled, mutated in place to avoid copies.
    private struct Open {
        let isObject: Bool
        var next: Int
        let end: Int
        var list: [any Sendable] = []
        var members: [String: any Sendable] = [:]

        mutating func add(_ value: any Sendable, _ tape: Tape) {
            if isObject {
                members[tape.text(tape[next])] = value
                next = tape.next(next + 1)
            } else {
                list.append(value)
                next = tape.next(next)
            }
        }
    }

    private static let maximumDepth = 1024
    let tape: Tape

    func make(_ top: Int) -> (any Sendable)? {
        guard tape[top].isContainer else { return plain(top) }
        var open = [opened(top)]
        while true {
            let last = open.count - 1
            if open[last].next == open[last].end {
                let value: any Sendable = open[last].isObject ? open[last].members : open[last].list
                open.removeLast()
                if open.isEmpty { return value }
                open[last - 1].add(value, tape)
            } else {
                let child = open[last].isObject ? open[last].next + 1 : open[last].next
                if tape[child].isContainer {
                    guard open.count < FoundationObjects.maximumDepth else { return nil }
                    open.append(opened(child))
                } else {
                    open[last].add(plain(child), tape)
                }
            }
        }
    }

    private func opened(_ index: Int) -> Open {
        let word = tape[index]
        var open = Open(isObject: word.isObject, next: index + 1, end: index + word.upper)
        if word.isObject {
            open.members.reserveCapacity(word.lower)
        } else {
            open.list.reserveCapacity(word.lower)
        }
        return open
    }

    private func plain(_ index: Int) -> any Sendable {
        let word = tape[index]
        switch word.kind {
        case .null: return NSNull()
        case .yes: return NSNumber(value: true)
        case .no: return NSNumber(value: false)
        case .text, .escapedText: return tape.text(word)
        case .array: return [any Sendable]()
        case .object: return [String: any Sendable]()
        case .integer, .real: return number(word)
        }
    }

    private func number(_ word: Word) -> any Sendable {
        let text = NumberText(tape.bytes(word))
        if word.kind == .integer {
            if let value: Int64 = text.integer() { return NSNumber(value: value) }
            if let value: UInt64 = text.integer() { return NSNumber(value: value) }
        }
        if let value = text.double { return NSNumber(value: value) }
        let decimal = NumberText.decimal(String(decoding: text.bytes, as: UTF8.self))
        return NSDecimalNumber(decimal: decimal ?? .nan)
    }
}
