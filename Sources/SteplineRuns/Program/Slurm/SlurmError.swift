import SteplinePrograms
import SteplineSupport

import protocol Foundation.LocalizedError

/// Why Slurm doesn't do what it was asked for, in its own words.
package struct SlurmError: LocalizedError, CustomStringConvertible, Sendable {
    /// The kinds of failure.
    package enum Code: Sendable, Hashable {
        /// Slurm's programs aren't installed here.
        case missing
        /// It was asked for something that it doesn't do.
        case refused
        /// Its controller doesn't answer.
        case unreachable
        /// What it has answered can't be understood.
        case unreadable
    }

    /// What kind of failure it is.
    package let code: Code
    /// One readable line, without secrets.
    package let description: String

    package var errorDescription: String? { description }

    init(_ code: Code, _ text: String) {
        self.code = code
        description = Redaction.standard.text(ErrorText.withoutBreaks(text))
    }

    /// What it means that one of Slurm's programs has failed.
    init(_ failure: ProgramFailure, of program: String) {
        guard let complaint = failure.complaint else {
            self.init(.unreachable, failure.description)
            return
        }
        // `sbatch: error: ` stands before each line, and says nothing more.
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
