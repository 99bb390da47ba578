import SteplineJSON
import SteplineSupport

extension FlowChecker {
    /// Checks that a file to save can hold a value of this shape.
    mutating func check(_ save: FlowSave, _ shape: FlowShape) {
        guard
            let format = save.format ?? save.place.fileEnding.flatMap({ FlowSave.Format(ofFile: "x.\($0)") })
        else { return checkEnding(of: save.place, shape) }
        let place = save.place.offset
        switch format {
        case .json, .text: return
        case .jsonl, .csv, .tsv:
            if let kind = shape.kind, kind != .array {
                issues.add(
                    .wrongType, at: place, "\(format.rawValue) expects a list, not \(kind.article)",
                    hint: "save it as json or text, or make a list: [it]")
            } else if format != .jsonl, let kind = shape.element, kind != .object {
                issues.add(
                    .wrongType, at: place,
                    "the rows of \(format.rawValue) are objects, not \(kind.article)",
                    hint: "make objects: { each: \"{ value: it }\" }")
            }
        }
    }

    /// Reports a file ending whose format no step writes.
    mutating func checkEnding(of place: FlowTemplate, _ shape: FlowShape) {
        guard let ending = place.fileEnding else { return }
        if FlowSave.unwritableEndings.contains(ending) {
            issues.add(
                .wrongValue, at: place.offset, FlowSave.unwritable(ending), hint: FlowSave.writableHint)
        } else if FlowSave.textEndings.contains(ending), let kind = shape.kind, kind != .string {
            issues.add(
                .wrongType, at: place.offset, "\(kind.article) is written as JSON, not as \(ending)",
                hint: "make a text first, or say format: \"json\"")
        }
    }
}

extension FlowSave {
    /// The endings of formats that are no text, or that no text alone is.
    static let unwritableEndings: Set<String> = [
        "xlsx", "xls", "xlsm", "ods", "odt", "doc", "docx", "ppt", "pptx", "pdf", "parquet", "avro", "orc",
        "feather", "arrow", "zip", "gz", "tgz", "tar", "bz2", "xz", "zst", "7z", "png", "jpg", "jpeg", "gif",
        "webp", "sqlite", "sqlite3", "msgpack", "cbor", "bson",
    ]

    /// The endings of formats of text that the steps don't make of other values.
    static let textEndings: Set<String> = [
        "xml", "html", "htm", "xhtml", "svg", "rss", "atom", "yaml", "yml", "toml", "ini", "md", "sql",
    ]

    static func unwritable(_ ending: String) -> String {
        "no step writes \(ending) files: a value is written as json, jsonl, csv, tsv or text"
    }

    static let writableHint = "name the file .csv or .json, or let a program convert it"
}

extension FlowTemplate {
    /// The ending of the file's name in lower case; nil if it has none, or a formula decides it.
    fileprivate var fileEnding: String? {
        guard case .text(let text)? = parts.last, let name = text.pathNames.last,
            let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            // A name that only begins with a point has no ending.
            dot != name.startIndex || parts.count > 1 && !text.holds("/")
        else { return nil }
        let ending = name[name.utf8.index(after: dot)...]
        return ending.isEmpty ? nil : ending.lowercased()
    }
}
