import Foundation
import SteplineSupport

/// Runs test cases one after the other and prints a line for each.
struct FlowTestRun {
    private enum Verdict {
        case passed(note: String?)
        case updated(files: Int)
        /// Failed, with the reason and details.
        case failed(String, [String])
    }

    private let arguments: Arguments
    private let session: Session

    init(_ arguments: Arguments, _ session: Session) {
        self.arguments = arguments
        self.session = session
    }

    func run(_ places: [FlowCasePlace]) async throws -> ExitCode {
        var failed = 0
        for place in places {
            if Task.isCancelled { break }
            let verdict = try await verdict(on: place)
            if case .failed = verdict { failed += 1 }
            try tell(verdict, of: place.name)
        }
        let count = places.count
        let rest = failed == 0 ? "all passed" : "\(failed) failed"
        try session.output.write("\(count) case\(count == 1 ? "" : "s"), \(rest)\n")
        return failed == 0 ? .success : .failure
    }

    private func tell(_ verdict: Verdict, of name: String) throws {
        let isQuiet = arguments.isOn(.quiet)
        var lines: [String] = []
        switch verdict {
        case .passed(let note):
            if !isQuiet { lines = ["passed  \(name)" + (note.map { " (\($0))" } ?? "")] }
        case .updated(let files):
            if !isQuiet { lines = ["updated \(name): \(files) file\(files == 1 ? "" : "s") expected"] }
        case .failed(let reason, let details):
            lines = ["failed  \(name): \(reason)"] + details.map { "          \($0)" }
        }
        for line in lines { try session.output.write(Session.oneLine(line) + "\n") }
    }

    private func verdict(on place: FlowCasePlace) async throws -> Verdict {
        do {
            let test = try FlowCase(place)
            if let source = test.source, test.issues.hasErrors {
                return .failed("case.json5 has mistakes", test.issues.sorted.map { $0.line(in: source) })
            }
            return try verdict(on: test, try await FlowCaseRun(test, arguments, session))
        } catch let error as UsageError {
            return .failed("it can't be run", "\(error)".split(separator: "\n").map(String.init))
        } catch let mistake as Recording.Mistake {
            return .failed("the recording can't be read", [mistake.description])
        }
    }

    private func verdict(on test: FlowCase, _ run: FlowCaseRun) throws -> Verdict {
        guard run.missing.isEmpty else {
            return .failed("unrecorded request or call", run.missing.flatMap(\.lines))
        }
        if !run.failures.isEmpty, !test.fails { return .failed("the run failed", run.failures) }
        if run.failures.isEmpty, test.fails {
            return .failed("the run succeeded", ["case.json5 says that it fails"])
        }
        let expected = try FileTree.read(test.place.expected)
        if arguments.isOn(.update) {
            guard run.made != expected else { return .passed(note: nil) }
            try FileTree.replace(test.place.expected, with: run.made)
            return .updated(files: run.made.count)
        }
        guard FileManager.default.fileExists(atPath: test.place.expected.path) else {
            return .failed("nothing is expected yet", ["--update would expect " + Self.list(run.made.keys)])
        }
        return Self.compare(expected, run.made)
            ?? .passed(note: run.unasked == 0 ? nil : "unused recorded answers: \(run.unasked)")
    }

    private static func compare(_ expected: [String: Data], _ made: [String: Data]) -> Verdict? {
        let lacking = expected.keys.filter { made[$0] == nil }
        guard lacking.isEmpty else { return .failed("not made", lacking.sorted()) }
        for (path, data) in made.sorted(by: { $0.key < $1.key }) {
            guard let expectedData = expected[path] else { continue }
            guard let difference = FirstDifference(expected: expectedData, made: data) else { continue }
            return .failed("\(path) differs in \(difference.place)", difference.lines)
        }
        let more = made.keys.filter { expected[$0] == nil }
        return more.isEmpty ? nil : .failed("made, and not expected", more.sorted())
    }

    private static func list(_ names: some Sequence<String>) -> String {
        let all = names.sorted()
        return all.isEmpty ? "nothing" : all.joined(separator: ", ")
    }
}

extension RecordedAnswers.Missing {
    /// The lines about the request and the recorded requests nearest to it.
    fileprivate var lines: [String] {
        let others = nearest.map { other in
            guard other.line == request.line else { return "recorded: \(other.line)" }
            let difference = FirstDifference(expected: other.body.bytes, made: request.body.bytes)
            let what = difference.map { "with another body, \($0.place): \($0.lines.joined(separator: " "))" }
            return "recorded: \(other.line) " + (what ?? "with other variables")
        }
        return ["asked:    \(request.line)"] + (others.isEmpty ? ["recorded: nothing"] : others)
    }
}

extension RecordedExchange.Body {
    /// The bytes for comparing two bodies.
    fileprivate var bytes: Data {
        switch self {
        case .none: Data()
        case .text(let text): Data(text.utf8)
        case .digest(let digits, let count): Data("\(count) bytes, sha256 \(digits)".utf8)
        }
    }
}
