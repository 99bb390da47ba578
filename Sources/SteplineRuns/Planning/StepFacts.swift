import Foundation
import SteplineSupport
import SteplineWorkflow

/// What a run has to know of a task to keep it as a step.
struct StepFacts: Sendable {
    /// The name, with those of the tasks around it.
    let name: String
    let version: Int
    /// A digest of what it follows and of the element that it is made for; the lowest bits are those of its result's type.
    let links: UInt64
    /// What programs have kept before types and elements were part of it.
    private let oldLinks: UInt64
    /// How its result is kept; nil if the type isn't known, and then it must have none.
    let codec: ResultCodec?
    /// Whether its result is made again rather than kept.
    let isRecomputed: Bool
    let isCondition: Bool
    /// Whether it can be known if its result is the same as another.
    let canBeCompared: Bool

    fileprivate static let typeBits: UInt64 = 0xFF_FFFF

    init(
        _ task: JournalTask, name: String, prerequisites: Digest, codec: ResultCodec?,
        codecs: inout ResultCodecs
    ) {
        self.name = name
        var digest = prerequisites
        oldLinks = digest.value
        if let element = task.element, let bytes = codecs.bytes(of: element) { digest.add(bytes) }
        links = (digest.value & ~Self.typeBits) | ((codec?.typeDigest ?? 0) & Self.typeBits)
        self.codec = codec
        version = task.version
        isRecomputed = task.isRecomputed
        isCondition = task.isCondition
        canBeCompared = codec != nil || (task.resultType == nil && !task.isRecomputed)
    }
}

extension StepFacts {
    /// What is kept of a result; nil if there is nothing in it.
    func bytes(of value: (any Sendable)?) throws -> Data? {
        if let codec, codec.hasFiles { return try codec.encode(value ?? ()) }
        if isRecomputed { return nil }
        if let codec, let elements = (value as? KeptResult)?.elements {
            return try ElementNames.bytes(elements, of: name, codec)
        }
        guard let value, !(value is Void), !(value is Workflow) else { return nil }
        guard let codec else { throw Untold(type: type(of: value)) }
        return try codec.encode(value)
    }

    private struct Untold: Error, CustomStringConvertible {
        let type: any Sendable.Type

        var description: String {
            "it is a \(type), but the task doesn't say so beforehand (`resultType`), or \(type) isn't Codable"
        }
    }
}

extension JournalTask {
    /// The step's name: tasks inside a subworkflow have its name before theirs.
    func path(in prefix: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }
}

/// A number that changes with what is added, the same in each process: FNV-1a, as `Hasher` has another seed in each.
struct Digest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init() {}

    /// A digest of the prerequisites of a task.
    init(_ task: JournalTask, _ name: (Int) -> String) { add(task, name) }

    /// At most 63 bits, as a store has signed numbers.
    var value: UInt64 { hash >> 1 }

    /// Adds the prerequisites' names, in their order, and what is allowed of them.
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
    /// Whether a step with those links in its store follows the same, is made for the same element, and has a result of the
    /// same type.
    func isSame(_ links: UInt64) -> Bool { links == self.links || links == oldLinks }

    /// Whether only the type of its result is another one.
    func hasOtherType(_ links: UInt64) -> Bool {
        !isSame(links) && links & ~Self.typeBits == self.links & ~Self.typeBits
    }
}

/// Codecs by type, each made once.
struct ResultCodecs {
    private var known: [ObjectIdentifier: ResultCodec] = [:]

    /// How a task's result is kept; nil if that isn't known, or it isn't kept.
    mutating func codec(of task: JournalTask) -> ResultCodec? {
        let plain = task.isRecomputed ? nil : codec(of: task.resultType)
        if let plain, let list = task.elementList, let element = codec(of: list.type) {
            return ResultCodec(of: plain, elements: ElementCodec(list: list, codec: element))
        }
        return task.produces.isEmpty ? plain : ResultCodec(of: plain, producing: task.produces)
    }

    /// What is kept of an element of a list; nil if its type doesn't say.
    mutating func bytes(of element: any Sendable) -> Data? {
        codec(of: type(of: element)).flatMap { try? $0.encodeInOrder(element) }
    }

    private mutating func codec(of type: (any Sendable.Type)?) -> ResultCodec? {
        guard let type else { return nil }
        if let codec = known[ObjectIdentifier(type)] { return codec }
        let codec = ResultCodec(of: type)
        known[ObjectIdentifier(type)] = codec
        return codec
    }
}

extension StepRecord {
    /// Whether the type of its result has this digest; false for a step that an older program has kept.
    func hasResult(of type: UInt64) -> Bool { links & StepFacts.typeBits == type & StepFacts.typeBits }
}
