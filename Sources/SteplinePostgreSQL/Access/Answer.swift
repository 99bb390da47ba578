import CPostgreSQL
import Foundation
import SteplineRuns

/// What a statement has given: rows, or how many were changed.
final class Answer {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { cpg_free(handle) }

    /// What the server has refused; nil if nothing.
    var failure: ServerFailure? {
        guard !cpg_is_done(handle) else { return nil }
        return ServerFailure(
            code: String(cString: cpg_code(handle)), message: String(cString: cpg_message(handle)))
    }

    /// How many rows were changed.
    var changes: Int { Int(cpg_changes(handle)) }

    /// How many rows there are.
    var count: Int { Int(cpg_rows(handle)) }

    /// The first row; nil if there is none.
    var first: Row? { count > 0 ? Row(self, 0) : nil }

    /// All rows.
    var rows: some Sequence<Row> { (0..<count).lazy.map { Row(self, Int32($0)) } }

    /// A row, whose columns are numbered from 0.
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
            Number(bigEndian: bytes.loadUnaligned(as: Number.self))
        }

        /// A whole number of any width; 0 for none.
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

        /// A list of whole numbers without nulls; empty for none.
        func integers(_ column: Int32) -> [Int] {
            let bytes = bytes(column)
            // Behind the head each number has its length before it.
            return stride(from: 20, to: bytes.count, by: 12).map { place in
                Int(number(UnsafeRawBufferPointer(rebasing: bytes[(place + 4)..<(place + 12)]), Int64.self))
            }
        }
    }
}
