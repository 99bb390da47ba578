import CPostgreSQL
import Foundation
import SteplineRuns

/// The result of a statement: rows, or the number of changed rows.
final class Answer {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { cpg_free(handle) }

    /// The server's error; nil if the statement succeeded.
    var failure: ServerFailure? {
        guard !cpg_is_done(handle) else { return nil }
        return ServerFailure(
            code: String(cString: cpg_code(handle)), message: String(cString: cpg_message(handle)))
    }

    /// The number of changed rows.
    var changes: Int { Int(cpg_changes(handle)) }

    /// The number of rows.
    var count: Int { Int(cpg_rows(handle)) }

    /// The first row; nil if there is none.
    var first: Row? { count > 0 ? Row(self, 0) : nil }

    /// The rows.
    var rows: some Sequence<Row> { (0..<count).lazy.map { Row(self, Int32($0)) } }

    /// A row; columns count from 0.
    struct Row: StoredRow {
        private let answer: Answer
        private let number: Int32

        fileprivate init(_ answer: Answer, _ number: Int32) {
            self.answer = answer
            self.number = number
        }

        func isNull(_ column: Int32) -> Bool { cpg_is_null(answer.handle, number, column) }

        private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: cpg_value(answer.handle, number, column),
                count: Int(cpg_length(answer.handle, number, column)))
        }

        private func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _: Number.Type)
            -> Number
        {
            // Binary results are in network byte order.
            Number(bigEndian: bytes.loadUnaligned(as: Number.self))
        }

        /// Returns an integer of any width; 0 for null.
        func integer(_ column: Int32) -> Int {
            let bytes = bytes(column)
            return switch bytes.count {
            case 8: Int(truncatingIfNeeded: number(bytes, Int64.self))
            case 4: Int(number(bytes, Int32.self))
            case 2: Int(number(bytes, Int16.self))
            default: 0
            }
        }

        func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: Int64(integer(column))) }

        func double(_ column: Int32) -> Double { Double(bitPattern: unsigned(column)) }

        func truth(_ column: Int32) -> Bool { bytes(column).first == 1 }

        func date(_ column: Int32) -> Date? {
            isNull(column) ? nil : Date(timeIntervalSinceReferenceDate: double(column))
        }

        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

        func data(_ column: Int32) -> Data? { isNull(column) ? nil : Data(bytes(column)) }

        /// Returns an array of integers without nulls; empty for null.
        func integers(_ column: Int32) -> [Int] {
            let bytes = bytes(column)
            // After a header of 20 bytes, each number of 8 bytes follows its length of 4 bytes.
            return stride(from: 20, to: bytes.count, by: 12).map { place in
                Int(number(UnsafeRawBufferPointer(rebasing: bytes[(place + 4)..<(place + 12)]), Int64.self))
            }
        }
    }
}
