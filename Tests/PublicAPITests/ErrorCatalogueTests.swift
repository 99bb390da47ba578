import Foundation
import Testing

/// Holds the page on errors against the codes that are in the sources.
@Suite("Error catalogue", .timeLimit(.minutes(5)))
struct ErrorCatalogueTests {
    private static let page = "Sources/Stepline/Documentation.docc/Errors.md"

    /// The files in which codes of errors and of findings stand, and the heading of their rows.
    private static let files = [
        ("SteplinePipeline/Errors/PipelineError+Code.swift", "PipelineError"),
        ("SteplineWorkflow/Errors/WorkflowError.swift", "WorkflowError"),
        ("SteplineManager/Errors/TaskManagerError+Code.swift", "TaskManagerError"),
        ("SteplineRequests/Errors/RequestError.swift", "RequestError"),
        (
            "SteplineSteps/Network/Pages/URLPage.swift",
            "URLPageError, URLAuthenticatorError and CrawlError"
        ),
        (
            "SteplineRequests/Manager/Authentication/URLAuthenticatorError.swift",
            "URLPageError, URLAuthenticatorError and CrawlError"
        ),
        (
            "SteplineSteps/Crawling/CrawlError.swift",
            "URLPageError, URLAuthenticatorError and CrawlError"
        ),
        ("SteplineSteps/Files/FileError.swift", "FileError and CSVError"),
        ("SteplineSteps/CSV/CSVError.swift", "FileError and CSVError"),
        ("SteplineJSON/JSONError+Code.swift", "JSONError"),
        ("SteplineXML/XMLError+Code.swift", "XMLError"),
        ("SteplineRuns/Errors/DurableRunError.swift", "DurableRunError and RunStoreError"),
        ("SteplineRuns/Errors/RunStoreError.swift", "DurableRunError and RunStoreError"),
        ("SteplinePipeline/Checking/CheckIssue+Pipeline.swift", "What a check finds"),
        ("SteplineWorkflow/Workflow/Workflow+Checking.swift", "What a check finds"),
        ("SteplineRuns/Planning/RunGraph.swift", "What a check finds"),
    ]

    @Test("every code has its row, and every row a code")
    func rows() throws {
        var codes: [String: Set<String>] = [:]
        for (file, heading) in Self.files {
            let found = try Self.codes(in: documentedText(of: "Sources/\(file)"))
            #expect(!found.isEmpty, "\(file)")
            codes[heading, default: []].formUnion(found)
        }
        let rows = try Self.rows(in: documentedText(of: Self.page))
        #expect(Set(rows.keys) == Set(codes.keys))
        for (heading, codes) in codes {
            let reported = rows[heading, default: []]
            #expect(
                Set(reported) == codes, "\(heading): \(Set(reported).symmetricDifference(codes).sorted())")
            #expect(Set(reported).count == reported.count, "\(heading) has a row twice")
        }
    }

    @Test("every public error with codes has a heading")
    func errors() throws {
        let headings = try Self.rows(in: documentedText(of: Self.page)).keys.joined(separator: " ")
        var count = 0
        for file in try sources() {
            let text = try documentedText(of: file)
            guard text.contains("struct Code") else { continue }
            for match in text.matches(of: /public struct (\w+Error)\b/) {
                count += 1
                #expect(headings.contains(match.1), "\(file)")
            }
        }
        #expect(count >= 8)
    }

    private func sources() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.map {
            "Sources/\($0)"
        }
    }

    private static func codes(in source: String) -> [String] {
        let pattern = /public static (?:let|var) (\w+)(?:: Code \{ Code| = (?:CheckIssue\.)?(?:Code|Self))\(/
        return source.matches(of: pattern).map { String($0.1) }
    }

    /// The codes that stand first in the rows beneath each heading.
    private static func rows(in page: String) -> [String: [String]] {
        var rows: [String: [String]] = [:]
        var heading = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
            guard let code = line.firstMatch(of: /^\| `(\w+)` \|/) else { continue }
            rows[heading, default: []].append(String(code.1))
        }
        return rows
    }
}
