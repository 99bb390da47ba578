import Foundation
import SteplineJSON
import SteplinePrograms
import SteplineSupport
import SteplineXML

extension FlowProgram {
    /// The default limit of a program's output.
    static let standardLimit = 64 << 20

    /// Runs the program with the value as its input; its output is the new value.
    func run(in scope: FlowScope) async throws -> FlowValue {
        .bytes(try await output(in: scope), FlowOrigin(charset: "UTF-8"))
    }

    private func output(in scope: FlowScope) async throws -> Data {
        let setting = scope.setting
        guard setting.answers != nil || setting.recorder != nil else {
            return try await ProgramRun.output(
                of: call(in: scope), clock: setting.clock, among: setting.programs)
        }
        var (arguments, environment) = try words(in: scope)
        // Equal programs in different folders are different requests.
        if let folder { environment["in"] = try scope.path(folder) }
        let request = RecordedExchange.Request(
            program: program, arguments: arguments, environment: environment,
            input: scope.input.map { Self.bytes(of: $0) }, hiding: setting.secrets.redactor)
        if let answers = setting.answers, !answers.lets(program) { return try answers.output(of: request) }
        do {
            let output = try await ProgramRun.output(
                of: call(in: scope), clock: setting.clock, among: setting.programs)
            setting.recorder?.keep(request, .init(status: 0, body: output))
            return output
        } catch  where error is FlowError || error is ProgramFailure {
            setting.recorder?.keep(request, .init(failure: .init(code: 1, text: "\(error)")))
            throw error
        }
    }

    /// Returns the program call with evaluated formulas.
    func call(
        in scope: FlowScope, hidesComplaints: Bool = false, timeLimit: Duration? = nil
    ) throws -> ProgramCall {
        let setting = scope.setting
        let (arguments, environment) = try words(in: scope)
        return ProgramCall(
            name: program, executable: try executable(setting), arguments: arguments,
            environment: environment, inheriting: setting.environment,
            folder: try workingFolder(in: scope),
            input: scope.input.map { Self.bytes(of: $0) }, limit: limit ?? Self.standardLimit,
            hidesComplaints: hidesComplaints, timeLimit: timeLimit)
    }

    /// Returns the folder in which the program runs.
    private func workingFolder(in scope: FlowScope) throws -> URL {
        let own = scope.setting.folder
        guard let folder else { return URL(filePath: own.root) }
        let path = try scope.path(folder)
        let url = try own.resolve(path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false), isDirectory: &isFolder),
            isFolder.boolValue
        else { throw FlowError("there is no folder \(path) to run \(program) in") }
        return url
    }

    /// Returns the evaluated arguments and variables.
    private func words(in scope: FlowScope) throws -> ([String], [String: String]) {
        let evaluator = scope.evaluator()
        let arguments = try script?.arguments ?? arguments(in: scope, by: evaluator)
        let variables = try environment.map {
            ($0.name, try Self.text($0.value, by: evaluator, "a variable"))
        }
        return (arguments, Dictionary(variables, uniquingKeysWith: { $1 }))
    }

    /// Returns the arguments; refuses a value that the program would read as an option, unless the file permits
    /// options or `--` precedes the value.
    private func arguments(in scope: FlowScope, by evaluator: ExpressionEvaluator) throws -> [String] {
        var endsOptions = false
        return try arguments.map { template in
            defer { if template.literal == "--" { endsOptions = true } }
            let text = try template.filled(by: evaluator) { value, before, _ in
                guard !letsOptions, !endsOptions, before.isEmpty, value.isOption else { return value }
                throw FlowTemplate.ShapeError(
                    message: "\(program) would take \"\(value)\" for an option", hint: Self.optionHint)
            }
            return try Self.checked(text, "an argument")
        }
    }

    /// The hint for a value that a program would read as an option.
    static let optionHint = "put \"--\" before it in the list, or \"./\" before a path, or say options: true"

    private static func text(
        _ template: FlowTemplate, by evaluator: ExpressionEvaluator, _ what: String
    ) throws -> String {
        try checked(template.filled(by: evaluator), what)
    }

    private static func checked(_ text: String, _ what: String) throws -> String {
        guard !text.utf8.contains(0) else { throw FlowError("\(what) holds a zero byte") }
        return text
    }

    /// Returns the executable: a path in the workflow's folder, or a name in the search path.
    private func executable(_ setting: FlowSetting) throws -> URL {
        if program.holds("/") { return try setting.folder.resolve(program) }
        return try ProgramCall.executable(program, in: setting.searchPath)
    }

    /// Returns the program's input: text as it is, other values as JSON.
    private static func bytes(of value: FlowValue) -> Data {
        switch value {
        case .bytes(let data, _): data
        case .document(let document): Data(document.tree.node.xml.utf8)
        case .json(let json): json.string.map { Data($0.utf8) } ?? json.data()
        }
    }
}

extension String {
    /// Whether a program may read the text as an option; negative numbers aren't options.
    fileprivate var isOption: Bool {
        utf8.first == UInt8(ascii: "-") && !dropFirst().utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    }
}
