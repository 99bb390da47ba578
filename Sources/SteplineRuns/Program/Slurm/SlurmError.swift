import SteplinePrograms
import SteplineSupport

import protocol Foundation.LocalizedError

/// An error of Slurm, in its own words.
package struct SlurmError: LocalizedError, CustomStringConvertible, Sendable {
    /// The kinds of failure.
    package enum Code: Sendable, Hashable {
        /// Slurm's programs aren't installed.
        case missing
        /// Slurm refused the request.
        case refused
        /// The controller doesn't respond.
        case unreachable
        /// The response has an unknown format.
        case unreadable
    }

    /// The kind of failure.
    package let code: Code
    /// The message in one line, without secrets.
    package let description: String

    package var errorDescription: String? { description }

    init(_ code: Code, _ text: String) {
        self.code = code
        description = Redaction.standard.text(ErrorText.withoutBreaks(text))
    }

    /// Creates the error for a failed program.
    init(_ failure: ProgramFailure, of program: String) {
        guard let complaint = failure.complaint else {
            self.init(.unreachable, failure.description)
            return
        }
        // Each line begins with the program's name and severity: drop both.
        let lines = complaint.split(whereSeparator: \.isNewline).map { line in
            ["\(program): error: ", "\(program): fatal: ", "\(program): "].first(where: line.hasPrefix)
                .map { line.dropFirst($0.count) } ?? line
        }
        let isAway = ["Unable to contact slurm controller", "timed out", "Zero Bytes were transmitted"]
            .contains(where: complaint.contains)
        self.init(
            isAway ? .unreachable : .refused, "\(program) refused: " + lines.joined(separator: "; "))
    }
}

extension SlurmError: PassingFailure {
    var isPassing: Bool { code == .unreachable }
}
