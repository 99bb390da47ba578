import Foundation
import SteplineSupport
import SteplineWorkflow

/// The properties of a task that are stored with its step; read at each change of the step.
final class StepFacts: Sendable {
    /// The step's name, including the names of the tasks around it.
    let name: String
    let version: Int
    /// A digest of the prerequisites, and of a growing map's start; the lowest 24 bits identify the result's type.
    let links: UInt64
    /// The digest in the format of older programs, without start and type.
    private let oldLinks: UInt64
    /// The codec of the result; nil if the type is unknown, in which case the task must have no result.
    let codec: ResultCodec?
    /// Whether the result is computed again instead of stored.
    let isRecomputed: Bool
    let isCondition: Bool
    /// Whether it can be known if its result is the same as another.
    let canBeCompared: Bool
    /// Whether it is a growing map, whose elements stand after a change of the first ones or of the limits.
    let isGrowingMap: Bool
    /// Whether the elements of the growing map run in the process that owns the run, also if it has workers.
    let staysWithOwner: Bool
    /// Whether the result may be that of another run.
    let isCached: Bool
    /// Whether the name contains an element of a list that is known when the workflow is built, unlike the task's name.
    let isNamedByContent: Bool
    /// The tasks that a map makes for the elements of its list; nil for other steps.
    let mapped: MappedFacts?

    /// The properties of the tasks that a map makes for the elements of its list.
    struct MappedFacts {
        /// The codec of an element's result; nil if the result isn't stored.
        let codec: ResultCodec?
        let areRecomputed: Bool
        /// A hash of the type of an element's result.
        let typeDigest: UInt64
        /// Whether the results may be those of another run.
        let areCached: Bool
    }

    fileprivate static let typeBits: UInt64 = 0xFF_FFFF

    init(
        _ task: JournalTask, name: String, isNamedByContent: Bool = false, prerequisites: Digest,
        codec: ResultCodec?, codecs: inout ResultCodecs
    ) {
        self.name = name
        var digest = prerequisites
        // Before start and type are added: older programs stored this value.
        oldLinks = digest.value
        isGrowingMap = task.growth != nil && task.subworkflow != nil
        staysWithOwner = task.growth?.staysWithOwner ?? false
        if isGrowingMap {
            // The zero byte separates the texts: without it, "a", "b" and "ab" have the same digest.
            for text in task.growth?.start ?? [] { digest.add([0] + Array(text.utf8)) }
        }
        // The type has bits of its own, so that a changed type can be told from changed prerequisites.
        // A result that isn't stored has a type, too: dependents were computed from it.
        let unstored =
            task.isRecomputed ? task.resultType.map { ResultCodec.typeDigest(ofUnstored: $0) } : nil
        let type = codec?.typeDigest ?? unstored ?? 0
        links = (digest.value & ~Self.typeBits) | (type & Self.typeBits)
        self.codec = codec
        version = task.version
        isRecomputed = task.isRecomputed
        isCondition = task.isCondition
        isCached = task.isCached
        self.isNamedByContent = isNamedByContent
        mapped = task.mapped.map { elements in
            let codec = elements.areRecomputed ? nil : codecs.codec(of: elements.resultType)
            return MappedFacts(
                codec: codec.map { codecs.codec($0, finding: task.growth) },
                areRecomputed: elements.areRecomputed,
                typeDigest: codec?.typeDigest ?? ResultCodec.typeDigest(ofUnstored: elements.resultType),
                areCached: task.elementType != nil)
        }
        // A task that declares no result has nothing to compare.
        canBeCompared = codec != nil || (task.resultType == nil && !task.isRecomputed)
    }

    private init(_ other: StepFacts, name: String) {
        self.name = name
        version = other.version
        links = other.links
        oldLinks = other.oldLinks
        codec = other.codec
        isRecomputed = other.isRecomputed
        isCondition = other.isCondition
        canBeCompared = other.canBeCompared
        isGrowingMap = other.isGrowingMap
        staysWithOwner = other.staysWithOwner
        isCached = other.isCached
        isNamedByContent = other.isNamedByContent
        mapped = other.mapped
    }

    /// Returns the facts of a step of another name that is equal otherwise.
    func named(_ name: String) -> StepFacts { StepFacts(self, name: name) }
}

extension StepFacts {
    /// Returns the stored form of a result; nil if nothing is stored.
    func bytes(of value: (any Sendable)?) throws -> Data? {
        // Files are checked even for a task without a stored result: encode before the test below.
        if let codec, codec.hasFiles { return try codec.encode(value ?? ()) }
        if isRecomputed { return nil }
        guard let value else { return nil }
        // Compared first: a cast of a number to a class makes an object of it.
        let type = type(of: value)
        // A large map stores the names of its elements only.
        if type == KeptResult.self, let codec, let elements = (value as? KeptResult)?.elements {
            return try ElementNames.bytes(elements, of: name, codec)
        }
        // A subworkflow isn't stored: its tasks are.
        if type == Void.self || type is Workflow.Type { return nil }
        // The casts also look into optionals.
        if codec?.isNothing ?? true, value is Void || value is Workflow { return nil }
        guard let codec else { throw UndeclaredType(type: type) }
        return try codec.encode(value)
    }

    private struct UndeclaredType: Error, CustomStringConvertible {
        let type: any Sendable.Type

        var description: String {
            "it is a \(type), but the task doesn't say so beforehand (`resultType`), or \(type) isn't Codable"
        }
    }
}

extension JournalTask {
    /// Returns the step's name: the task's name after the names of the tasks around it.
    func path(in prefix: String) -> String { Self.path(of: name, in: prefix) }

    static func path(of name: String, in prefix: String) -> String {
        prefix.isEmpty ? name : "\(prefix)/\(name)"
    }

    /// Returns the name of a task from that of its step.
    static func name(of path: String, in prefix: String) -> String {
        prefix.isEmpty
            ? path : String(path[path.utf8.index(path.startIndex, offsetBy: prefix.utf8.count + 1)...])
    }
}

/// An FNV-1a hash, equal in every process; `Hasher` has a random seed.
struct Digest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init() {}

    /// Creates a digest of a task's prerequisites.
    init(_ task: JournalTask, _ name: (Int) -> String) { add(task, name) }

    /// The hash in 63 bits, since stores have signed integers.
    var value: UInt64 { hash >> 1 }

    /// Adds the names of the prerequisites in order, each with whether it may fail.
    private mutating func add(_ task: JournalTask, _ name: (Int) -> String) {
        for (prerequisite, isAllowed) in zip(task.prerequisites, task.mayFail) {
            add(name(prerequisite).utf8)
            add(CollectionOfOne(isAllowed ? 1 : 0))
        }
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}

extension StepFacts {
    /// Returns whether stored links have the same prerequisites, start and result type.
    ///
    /// Links stored by an older program match without start and type.
    func isSame(_ links: UInt64) -> Bool {
        // Older programs stored no type of a result that is computed again.
        links == self.links || links == oldLinks
            || isRecomputed && links == self.links & ~Self.typeBits
    }

    /// Returns whether only the result's type differs.
    func hasOtherType(_ links: UInt64) -> Bool {
        !isSame(links) && links & ~Self.typeBits == self.links & ~Self.typeBits
    }
}

/// A cache of codecs by type.
struct ResultCodecs {
    private var known: [ObjectIdentifier: ResultCodec] = [:]
    /// The codec found last: successive tasks often have results of one type.
    private var last: (type: any Sendable.Type, codec: ResultCodec)?
    /// The codecs of results that are stored with what was found, by the codecs of both.
    private var growing: [[ObjectIdentifier]: ResultCodec] = [:]

    /// The codecs of maps' results.
    private var lists: [ListKey: ResultCodec] = [:]

    /// The codecs of a map's whole result and of an element's.
    private struct ListKey: Hashable {
        let whole: ObjectIdentifier
        let element: ObjectIdentifier
        let grows: Bool
    }

    /// Returns the codec of a task's result; nil if the type is unknown or the result isn't stored.
    mutating func codec(of task: JournalTask) -> ResultCodec? {
        let plain = task.isRecomputed ? nil : codec(of: task.resultType)
        if let plain, let list = task.elementList, let element = codec(of: list.type) {
            let grows = task.growth != nil
            let key = ListKey(
                whole: ObjectIdentifier(plain), element: ObjectIdentifier(element), grows: grows)
            if let codec = lists[key] { return codec }
            let elements = ElementCodec(list: list, codec: element, grows: grows)
            let codec = ResultCodec(of: plain, elements: elements)
            lists[key] = codec
            return codec
        }
        // Even without a stored result, the records of produced files are stored.
        let own = task.produces.isEmpty ? plain : ResultCodec(of: plain, producing: task.produces)
        guard let own, !task.isRecomputed, task.subworkflow == nil else { return own }
        return codec(own, finding: task.growth)
    }

    /// Returns the codec of an element's result, which a growing map stores with what the element has found.
    mutating func codec(_ own: ResultCodec, finding growth: Growth?) -> ResultCodec {
        guard let growth, let found = codec(of: growth.found) else { return own }
        let key = [ObjectIdentifier(own), ObjectIdentifier(found)]
        if let codec = growing[key] { return codec }
        let codec = ResultCodec(of: own, finding: found)
        growing[key] = codec
        return codec
    }

    /// Returns the codec of a type; nil if the type is unknown or can't be stored.
    mutating func codec(of type: (any Sendable.Type)?) -> ResultCodec? {
        guard let type else { return nil }
        if let last, last.type == type { return last.codec }
        let codec = known[ObjectIdentifier(type)] ?? ResultCodec(of: type)
        known[ObjectIdentifier(type)] = codec
        last = codec.map { (type, $0) }
        return codec
    }
}

extension StepFacts.MappedFacts {
    /// Returns whether the stored element has a result of the map's type.
    ///
    /// Elements that an older program stored match without type.
    func isSame(_ element: StepRecord) -> Bool {
        element.links == Digest().value || element.hasResult(of: typeDigest)
            || areRecomputed && element.hasResult(of: 0)
    }
}

extension StepRecord {
    /// Returns whether the stored result has a type with this digest; false for steps stored by older programs.
    func hasResult(of type: UInt64) -> Bool { hasDigest(type) || hasDigest(type ^ GrownBytes.mark) }

    /// Returns whether the result stands behind what an element of a growing map has found.
    func isGrown(_ data: Data) -> Bool {
        // Text and data of a user may begin alike: their digests tell.
        let plain = [String.self as any Sendable.Type, Data.self].compactMap {
            ResultCodec(of: $0)?.typeDigest
        }
        return !plain.contains(where: hasDigest) && GrownBytes.split(data) != nil
    }

    private func hasDigest(_ type: UInt64) -> Bool { links & StepFacts.typeBits == type & StepFacts.typeBits }
}
