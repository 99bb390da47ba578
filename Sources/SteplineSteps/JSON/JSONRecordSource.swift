import Foundation
import SteplineJSON

/// Where the records of a large JSON file stand: one on each line, or as the elements of one array.
public struct JSONRecordSource: Sendable {
    private let pointer: String?

    /// Each line is a record: JSON Lines.
    public static let lines = JSONRecordSource(pointer: nil)

    /// Each element of the array at a JSON Pointer (`/data/items`, or empty for the whole) is a record.
    public static func elements(at pointer: String) -> JSONRecordSource { JSONRecordSource(pointer: pointer) }

    private init(pointer: String?) { self.pointer = pointer }

    /// What is wrong with the settings: a malformed pointer.
    var problems: [String] {
        guard let pointer else { return [] }
        do {
            _ = try JSONPointer(pointer)
            return []
        } catch {
            return ["the pointer \"\(pointer)\" is malformed: \(error)"]
        }
    }

    /// Hands over what is made of each record of a file.
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
