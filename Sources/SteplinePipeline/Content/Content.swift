public import Foundation

/// The bag that travels along a pipeline: entries under typed keys.
///
/// It is a value: each step works on a bag of its own, and what one changes shows in no other. Handing it
/// on copies nothing until somebody writes.
public struct Content: Sendable {
    /// What copies share until one of them is written to.
    private final class Storage: @unchecked Sendable {  // written to only by its sole owner
        static let empty = Storage()

        var bodyData: Data?
        var bodyObject: (any Sendable)?
        var entries: [String: any Sendable] = [:]

        init() {}

        init(copying other: Storage) {
            bodyData = other.bodyData
            bodyObject = other.bodyObject
            entries = other.entries
        }

        func setBodyData(_ data: Data?) {
            bodyData = data
            dropOtherBytes()
        }

        /// What isn't `Data` and was stored under the name of the bytes is kept with the entries.
        func dropOtherBytes() {
            if !entries.isEmpty { entries["bodyData"] = nil }
        }
    }

    private var storage = Storage.empty

    /// Makes an empty bag.
    public init() {}

    /// The storage for a write: this bag's own from here on.
    private var writable: Storage {
        mutating get {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
            return storage
        }
    }

    /// The bytes that steps hand on.
    public var bodyData: Data? {
        get { storage.bodyData }
        set { writable.setBodyData(newValue) }
        _modify {
            let storage = writable
            storage.dropOtherBytes()
            yield &storage.bodyData
        }
    }

    /// The object that steps hand on.
    ///
    /// Setting nil, or an Optional that is nil, removes it.
    public var bodyObject: (any Sendable)? {
        get { storage.bodyObject }
        set { writable.bodyObject = newValue.flatMap(unwrapped) }
    }

    /// The names of all entries: the two bodies first, the others in alphabetical order.
    public var names: [String] {
        var names: [String] = []
        if storage.bodyData != nil { names.append("bodyData") }
        if storage.bodyObject != nil { names.append("bodyObject") }
        return names + storage.entries.keys.sorted()
    }

    /// Calls `body` for each entry, in no order.
    func forEachEntry(_ body: (ContentSlot, String, any Sendable) -> Void) {
        if let bytes = storage.bodyData { body(.bodyData, "bodyData", bytes) }
        if let object = storage.bodyObject { body(.bodyObject, "bodyObject", object) }
        for (name, value) in storage.entries { body(ContentSlot(entryNamed: name), name, value) }
    }

    func storedValue(_ slot: ContentSlot, _ name: String) -> (any Sendable)? {
        switch slot {
        case .bodyData: storage.bodyData ?? storage.entries[name]
        case .bodyObject: storage.bodyObject
        case .entry: storage.entries[name]
        case .wholeBag: self
        case .nothing: nil
        }
    }

    mutating func setStoredValue(_ value: (any Sendable)?, _ slot: ContentSlot, _ name: String) {
        switch slot {
        case .bodyData:
            let data = value as? Data
            writable.setBodyData(data)
            if data == nil, let value { writable.entries[name] = value }
        case .bodyObject: writable.bodyObject = value
        case .entry: writable.entries[name] = value
        case .wholeBag, .nothing: break
        }
    }
}
