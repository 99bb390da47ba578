import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineXML

/// What goes from step to step in a workflow file.
enum FlowValue: Sendable {
    case json(JSON)
    case bytes(Data, FlowOrigin)
    case document(FlowDocument)

    /// The value as formulas see it; bytes are text.
    func forFormulas() throws -> JSON {
        switch self {
        case .json(let json): return json
        case .bytes(let data, _):
            guard let text = String(validating: data.withoutByteOrderMark, as: UTF8.self) else {
                throw FlowError("these bytes are no text")
            }
            return JSON(text)
        case .document: throw FlowError("formulas can't look into an XML document")
        }
    }

    /// What it is, for messages.
    var article: String {
        switch self {
        case .json(let json): json.article
        case .bytes: "bytes that weren't parsed"
        case .document: "an XML document"
        }
    }
}

/// Where bytes came from.
struct FlowOrigin: Sendable, Codable {
    var charset: String?
    var url: URL?
}

extension ContentKey where Value == FlowValue {
    /// What the step before has made.
    static var flow: Self { .init("it") }

    /// The result of a prerequisite.
    static func result(of task: String) -> Self { .init("tasks.\(task)") }
}

extension ContentKey where Value == FlowValue? {
    /// The value of the step before, if there is one.
    static var possibleFlow: Self { .init(ContentKey<FlowValue>.flow.name) }
}

extension ContentKey where Value == JSON {
    /// The element that a mapped task runs for.
    static var item: Self { .init("item") }

    /// How the run has gone.
    static var run: Self { .init("run") }
}

extension ContentKey where Value == Int {
    /// The element's number.
    static var index: Self { .init("index") }
}

/// Something that went wrong in a step of a workflow file.
struct FlowError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
