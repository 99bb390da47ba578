import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineXML

/// A value between steps of a workflow file.
enum FlowValue: Sendable {
    case json(JSON)
    case bytes(Data, FlowOrigin)
    case document(FlowDocument)

    /// Returns the value for formulas; bytes become text.
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

    /// The kind of the value, for messages.
    var article: String {
        switch self {
        case .json(let json): json.article
        case .bytes: "bytes that weren't parsed"
        case .document: "an XML document"
        }
    }
}

/// The origin of bytes.
struct FlowOrigin: Sendable, Codable {
    var charset: String?
    var url: URL?
}

extension ContentKey where Value == FlowValue {
    /// The output of the previous step.
    static var flow: Self { .init("it") }

    /// The result of a prerequisite.
    static func result(of task: String) -> Self { .init("tasks.\(task)") }
}

extension ContentKey where Value == FlowValue? {
    /// The output of the previous step, if there is one.
    static var possibleFlow: Self { .init(ContentKey<FlowValue>.flow.name) }
}

extension ContentKey where Value == JSON {
    /// The element of a mapped task.
    static var item: Self { .init("item") }

    /// The outcome of the run.
    static var run: Self { .init("run") }
}

extension ContentKey where Value == Int {
    /// The index of the element.
    static var index: Self { .init("index") }
}

/// An error of a step of a workflow file.
struct FlowError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
