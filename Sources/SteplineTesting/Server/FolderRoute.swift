import Foundation
import SteplineSupport

/// A route that serves the files of a folder.
struct FolderRoute: Sendable {
    let folder: URL
    let path: String

    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let name = request.path.after(path) ?? ""
        let parts = name.pathNames
        guard !parts.isEmpty, !parts.contains(".."), !name.utf8.contains(0) else { return .status(404) }
        let file = parts.reduce(folder) { $0.appending(path: $1) }
        guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else {
            return .text("no file at \(request.path)", status: 404)
        }
        var response = LoopbackResponse.data(data, type: type(of: file)).servingRanges()
        let values = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        if let date = values?[.modificationDate] as? Date {
            let stamp = Int64(date.timeIntervalSince1970 * 1000)
            response = response.lastModified(date).etag("\"\(String(stamp, radix: 36))-\(data.count)\"")
        }
        return response
    }

    private func type(of file: URL) -> String {
        switch file.pathExtension.lowercased() {
        case "json": "application/json"
        case "xml", "rss", "atom": "application/xml"
        case "html", "htm": "text/html; charset=utf-8"
        case "txt", "csv": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
