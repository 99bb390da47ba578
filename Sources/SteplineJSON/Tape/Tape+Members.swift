extension Tape {
    /// Returns the index of the value under `key` in the object at `object`; nil if missing or not an object.
    func value(under key: String, in object: Int) -> Int? {
        var key = key
        return key.withUTF8 { value(under: $0, in: object) }
    }

    func value(under key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let header = self[object]
        guard header.isObject else { return nil }
        if header.lower >= KeyIndexes.threshold {
            return keyIndexes.find(key, in: object, of: self).map { $0 &+ 1 }
        }
        var index = object &+ 1
        let end = object &+ header.upper
        while index < end {
            if isText(self[index], equalTo: key) { return index &+ 1 }
            index = next(index &+ 1)
        }
        return nil
    }

    /// Returns whether all elements of an array are single words, as in lists of numbers or strings.
    func hasPlainElements(_ array: Int) -> Bool { self[array].upper == self[array].lower &+ 1 }

    /// Returns the index of the element at `position` in an array; negative positions count from the end.
    func element(at position: Int, in array: Int) -> Int? {
        let header = self[array]
        guard header.isArray else { return nil }
        let position = position < 0 ? header.lower &+ position : position
        guard position >= 0, position < header.lower else { return nil }
        if hasPlainElements(array) { return array &+ 1 &+ position }
        var index = array &+ 1
        for _ in 0..<position { index = next(index) }
        return index
    }
}
