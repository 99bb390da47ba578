import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineSteps
import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FetchPlan {
    /// Returns the step that parses the loaded bytes, applies the selection, and renders the result as bytes.
    func parsing() -> any Step {
        BlockStep(from: .content, to: .content) { bag async throws in
            let pipeline = Pipeline("parse", content: bag)
            for step in try steps(for: bag) { try pipeline.addStep(step) }
            return try await pipeline.run()
        }.named("parse")
    }

    private func steps(for bag: Content) throws -> [any Step] {
        let rendering = Rendering(format: format)
        switch (try kind(of: bag), selection) {
        case (.json, .jsonPath(let path)):
            return [
                JSONParseStep(), JSONQueryStep(path),
                BlockStep { (found: [JSON]) in try rendering.found(found) },
            ]
        case (.json, _):
            return [JSONParseStep(), BlockStep { (json: JSON) in rendering.document(json) }]
        case (.feed, .jsonPath(let path)):
            return [
                FeedStep(), BlockStep { (feed: Feed) in try Rendering.json(feed) }, JSONQueryStep(path),
                BlockStep { (found: [JSON]) in try rendering.found(found) },
            ]
        case (.feed, _):
            return [FeedStep(), BlockStep { (feed: Feed) in try rendering.document(feed) }]
        case (.xml, let selection):
            return [XMLParseStep()] + steps(selection, rendering)
        case (.html, let selection):
            return [HTMLParseStep()] + steps(selection, rendering)
        }
    }

    private func steps(_ selection: Selection?, _ rendering: Rendering) -> [any Step] {
        guard case .xPath(let path) = selection else {
            return [BlockStep { (document: XML.Document) in try rendering.document(document) }]
        }
        return [
            XMLQueryStep(.strings(path)), BlockStep { (texts: [String]) in try rendering.found(texts) },
        ]
    }

    /// Returns the format given by the user, or detected from the response.
    private func kind(of bag: Content) throws -> ContentKind {
        if let kind { return kind }
        let response = bag[.urlResponse]
        let type = response?.mimeType.map { " (\($0))" } ?? ""
        guard let found = ContentKind.of(bag.bodyData ?? Data(), response, selection) else {
            throw ContentError(
                description: "can't tell what it is\(type); say it with --json, --xml, --html or --feed")
        }
        switch (found, selection) {
        case (.json, .xPath): throw ContentError(description: "an XPath finds nothing in JSON\(type)")
        case (.xml, .jsonPath), (.html, .jsonPath):
            throw ContentError(description: "a JSONPath finds nothing in \(found.rawValue)\(type)")
        default: return found
        }
    }
}
