/// The resolution of names in a start tag.
extension PlainParser {
    /// Reports a start tag and continues after it.
    mutating func tellTag(_ element: Int, isEmpty: Bool, after: Bytes) -> Step {
        let bindings = namespaces.count
        attributes.truncate(to: 0)
        declarations.truncate(to: 0)
        for index in 0..<values.count where values.base[index].offset >= 0 {
            values.base[index].start = UnsafePointer(scratch.base + values.base[index].offset)
        }
        guard declare(first: bindings), let count = collect() else {
            namespaces.leave(to: bindings)
            return .doubtful
        }
        let entry = names.entries.base[element]
        let namespace: Bytes?
        switch namespaces.find(entry.prefix) {
        case .none: namespace = nil
        case .namespace(let found): namespace = found
        case .unbound:
            namespaces.leave(to: bindings)
            return .doubtful
        }
        tell()
        SAXHandlers.startElement(
            UnsafeMutableRawPointer(state), entry.local, entry.prefix, namespace,
            Int32(truncatingIfNeeded: declarations.count / 2), declarations.base,
            Int32(truncatingIfNeeded: count), 0, attributes.base)
        open.append(Open(name: element, bindings: bindings, line: line))
        place = .content
        cursor = after
        if isEmpty { close() }
        return state.pointee.failure == nil ? .done : .doubtful
    }

    /// Moves namespace declarations out of the attributes.
    private mutating func declare(first: Int) -> Bool {
        for index in 0..<values.count {
            let value = values.base[index]
            let entry = names.entries.base[value.name]
            let isDefault = entry.prefix == nil && entry.local == namespaces.xmlns
            guard isDefault || entry.prefix == namespaces.xmlns else { continue }
            let prefix = isDefault ? nil : entry.local
            guard value.count < 1 << 20, let namespace = names.keep(value.start, value.count),
                namespaces.declare(prefix, namespace, first: first)
            else { return false }
            declarations.append(prefix)
            declarations.append(namespace)
            values.base[index].name = -1
        }
        return true
    }

    /// Resolves the namespaces of attributes; returns their number, nil for duplicates.
    private mutating func collect() -> Int? {
        var count = 0
        var firstPrefixed = -1
        for index in 0..<values.count where values.base[index].name >= 0 {
            let value = values.base[index]
            let entry = names.entries.base[value.name]
            var namespace: Bytes?
            if let prefix = entry.prefix {
                guard case .namespace(let found) = namespaces.find(prefix) else { return nil }
                namespace = found
                if firstPrefixed < 0 { firstPrefixed = count }
                // Two prefixes may refer to the same namespace.
                guard count - firstPrefixed <= 64, isAlone(entry.local, found, firstPrefixed..<count) else {
                    return nil
                }
            }
            attributes.append(entry.local)
            attributes.append(entry.prefix)
            attributes.append(namespace)
            attributes.append(value.start)
            attributes.append(value.start + value.count)
            count += 1
        }
        return count
    }

    private func isAlone(_ local: Bytes, _ namespace: Bytes, _ others: Range<Int>) -> Bool {
        !others.contains {
            attributes.base[5 * $0] == local && attributes.base[5 * $0 + 2] == namespace
        }
    }
}
