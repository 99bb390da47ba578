import Foundation
import SteplineJSON

/// The records of a large JSON file: its lines, or the elements of an array.
public struct JSONRecordSource: Sendable {
    private let pointer: String?

    /// Each line is a record: JSON Lines.
    public static let lines = JSONRecordSource(pointer: nil)

    /// Returns a source whose records are the elements of the array at a JSON Pointer; empty for the whole document.
    public static func elements(at pointer: String) -> JSONRecordSource { JSONRecordSource(pointer: pointer) }

    private init(pointer: String?) { self.pointer = pointer }

    /// The errors in the settings: a malformed pointer.
    var problems: [String] {
        guard let pointer else { return [] }
        do {
            _ = try JSONPointer(pointer)
            return []
        } catch {
            return ["the pointer \"\(pointer)\" is malformed: \(error)"]
        }
    }

    /// Calls `body` with the result of each record of a file.
    func forEach<R>(
        of file: URL, _ options: JSON.Options, _ records: JSONRecordMaker<R>, _ body: (R) throws -> Void
    ) throws {
        let chunks = try FileChunks(file)
        if let pointer {
            try records.forEach(elementAt: pointer, options: options, chunks.next, body)
        } else {
            try records.forEach(lineOf: options, chunks.next, body)
        }
    }
}
