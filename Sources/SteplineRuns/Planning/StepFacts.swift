import Foundation
import SteplineSupport
import SteplineWorkflow

/// What a run has to know of a task to keep it as a step.
struct StepFacts: Sendable {
    /// The name, with those of the tasks around it.
    let name: String
    let version: Int
    /// A digest of what it follows.
    let links: UInt64
    /// How its result is kept; nil if the type isn't known, and then it must have none.
    let codec: ResultCodec?
    /// Whether its result is made again rather than kept.
    let isRecomputed: Bool
    /// Whether it can be known if its result is the same as another.
    let canBeCompared: Bool

    init(_ task: JournalTask, name: String, links: UInt64, codec: ResultCodec?) {
        self.name = name
        self.links = links
        self.codec = codec
        version = task.version
        isRecomputed = task.isRecomputed
        canBeCompared = codec != nil || (task.resultType == nil && !task.isRecomputed)
    }
}

extension StepFacts {
    /// What is kept of a result; nil if there is nothing in it.
    func bytes(of value: (any Sendable)?) throws -> Data? {
        if let codec, codec.hasFiles { return try codec.encode(value ?? ()) }
        if isRecomputed { return nil }
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

    /// A number that changes with the prerequisites' names, their order and what is allowed of them; the same in each process.
    func digest(_ name: (Int) -> String) -> UInt64 {
        // FNV-1a, as `Hasher` has another seed in each process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for (prerequisite, isAllowed) in zip(prerequisites, mayFail) {
            for byte in name(prerequisite).utf8 { add(byte) }
            add(isAllowed ? 1 : 0)
        }
        return hash >> 1
    }
}

/// Codecs by type, each made once.
struct ResultCodecs {
    private var known: [ObjectIdentifier: ResultCodec] = [:]

    /// How a task's result is kept; nil if that isn't known, or it isn't kept.
    mutating func codec(of task: JournalTask) -> ResultCodec? {
        let plain = task.isRecomputed ? nil : codec(of: task.resultType)
        return task.produces.isEmpty ? plain : ResultCodec(of: plain, producing: task.produces)
    }

    private mutating func codec(of type: (any Sendable.Type)?) -> ResultCodec? {
        guard let type else { return nil }
        if let codec = known[ObjectIdentifier(type)] { return codec }
        let codec = ResultCodec(of: type)
        known[ObjectIdentifier(type)] = codec
        return codec
    }
}
