import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineSteps

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FetchPlan {
    /// Makes the step that parses the loaded bytes, selects, and leaves the output as bytes.
    func parsing() -> any Step {
        BlockStep(from: .content, to: .content) { bag throws in
            let format = try format(of: bag)
            let response = bag[.urlResponse]
            let origin = FlowOrigin(charset: response?.textEncodingName, url: response?.url)
            let value = try format.parse(.bytes(bag.bodyData ?? Data(), origin))
            let rendering = Rendering(format: output)
            var rendered = bag
            rendered.bodyData =
                if let selection {
                    try rendering.found(selection.found(in: value))
                } else {
                    try rendering.document(value, isFeed: format == .feed)
                }
            return rendered
        }.named("parse")
    }

    /// Returns the format that the options name, or else the one that the response shows.
    private func format(of bag: Content) throws -> FlowFormat {
        if let kind { return kind }
        let response = bag[.urlResponse]
        let type = response?.mimeType.map { " (\($0))" } ?? ""
        guard let found = FlowFormat.of(bag.bodyData ?? Data(), response, selection) else {
            throw FlowError("can't tell what it is\(type); say it with --json, --xml, --html or --feed")
        }
        switch (found, selection?.isXPath) {
        case (.json, true): throw FlowError("an XPath finds nothing in JSON\(type)")
        case (.xml, false), (.html, false):
            throw FlowError("a JSONPath finds nothing in \(found.rawValue)\(type)")
        default: return found
        }
    }
}

extension FlowQuery {
    /// Reads the path that `--select` gives.
    init(selecting text: String) throws(UsageError) {
        guard text.hasPrefix("$") else {
            if let mistake = XPathMistake.find(in: text) {
                throw UsageError(
                    "--select: '\(text)' is no XPath: \(mistake.reason), column \(mistake.column)")
            }
            self.init(language: .xml(text), offset: 0)
            return
        }
        do {
            self.init(language: .json(try JSONPath(text)), offset: 0)
        } catch {
            throw UsageError("--select: '\(text)' is no JSONPath: \(error.message), column \(error.column)")
        }
    }

    var isXPath: Bool { if case .xml = language { true } else { false } }
}
