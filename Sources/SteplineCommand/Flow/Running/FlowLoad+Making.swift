import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRequests
import SteplineSteps

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FlowLoad {
    /// Creates the pipeline steps: request, load, and conversion of the response.
    func makeSteps(_ setting: FlowSetting, _ bag: Content, timeout: Duration?) -> [any Step] {
        let ask = BlockStep(from: .possibleFlow) { [self] (input: FlowValue?) throws -> URLRequest in
            try request(FlowScope(setting: setting, bag: bag, input: input))
        }
        var options = loadOptions(setting)
        if let limit { options.sizeLimit = limit }
        options.lineWatch = setting.lineWatch
        if isAnswer { options.status = .any }
        // The time limit starts when the request is sent, unlike a step's own time limit.
        if let timeout { options.totalTimeout = timeout }
        let load = URLRequestStep(schemes: FlowAddress.schemes.union(["file"]), options: options)
        return [ask, load, FlowAnswerStep(isWhole: isAnswer)]
    }

    /// Returns the load options; secrets are sent only to the host in the file.
    func loadOptions(_ setting: FlowSetting) -> LoadOptions {
        var options = setting.connections.applied(to: LoadOptions())
        // A value computed from a secret isn't recognizable: treat its header as sensitive.
        options.sensitiveHeaders.formUnion(headers.filter { $0.value.namesSecret }.map(\.name))
        let redactor = setting.secrets.redactor
        // An earlier step of the task may mask a value before the request is sent.
        options.isSecret = { !redactor.isEmpty && redactor.firstSecret(in: Array($0)) != nil }
        return options
    }

    func request(_ scope: FlowScope) throws -> URLRequest {
        // The literal beginning decides between file and URL; a value after it must not.
        if case .text(let beginning)? = place.parts.first, FlowAddress.scheme(of: beginning) == nil {
            return URLRequest(url: try file(scope.path(place), scope))
        }
        let evaluator = scope.evaluator()
        let address = try place.filled(by: evaluator) { value, before, formula in
            try FlowAddress.fill(value, after: before, isForeign: scope.isForeign(formula))
        }
        guard let scheme = FlowAddress.scheme(of: address) else {
            return URLRequest(url: try file(address, scope))
        }
        guard FlowAddress.schemes.contains(scheme) else {
            throw FlowError("a workflow file can't load \(scheme): URLs")
        }
        guard scheme == "data" || !scope.setting.isOffline else {
            throw FlowError("the network is out of reach with --offline")
        }
        guard let url = scheme == "data" ? URL(string: address) : FlowAddress.url(address) else {
            throw FlowError("\"\(address)\" is no URL")
        }
        var request = URLRequest(url: url)
        if let body {
            let value = try body.value(by: evaluator)
            request.httpMethod = "POST"
            request.httpBody = value.string.map { Data($0.utf8) } ?? value.data()
            let type = value.kind == .string ? "text/plain; charset=utf-8" : "application/json"
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        request.setValue(Version.agent, forHTTPHeaderField: "User-Agent")
        if let method { request.httpMethod = method }
        for (name, value) in headers {
            let text = try value.filled(by: evaluator)
            guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw FlowError("the value of the header \(name) has control characters")
            }
            request.setValue(text, forHTTPHeaderField: name)
        }
        return request
    }

    private func file(_ path: String, _ scope: FlowScope) throws -> URL {
        let url = try scope.setting.folder.resolve(path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false), isDirectory: &isFolder)
        else { throw FlowError("there is no file \(path)") }
        guard !isFolder.boolValue else { throw FlowError("\(path) is a folder") }
        scope.setting.recorder?.noteRead(url)
        return url
    }
}

/// A pipeline step that converts the loaded response.
private final class FlowAnswerStep: BasicStep<Data?, FlowValue>,
    @unchecked Sendable  // all stored properties are constant
{
    /// Whether the value is the complete response.
    private let isWhole: Bool

    init(isWhole: Bool) {
        self.isWhole = isWhole
        super.init()
    }

    override var inputKey: ContentKey<Data?> { .init(ContentKey.bodyData.name) }
    override var outputKey: ContentKey<FlowValue> { .flow }

    override func process(_ body: Data?) throws -> FlowValue {
        let response = content[.urlResponse]
        if isWhole { return .json(try FlowAnswer.value(of: response, body ?? Data())) }
        return .bytes(body ?? Data(), FlowOrigin(charset: response?.textEncodingName, url: response?.url))
    }
}
