public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loading and parsing in a line; a refused status means that nothing is parsed.
extension Pipeline {
    /// A pipeline that loads a URL and parses JSON; it isn't started, and more steps can be added.
    public static func loadingJSON(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingJSON(URLRequest(url: url), session: session, options: options)
    }

    /// A pipeline that sends a request and parses the JSON of the answer; it isn't started.
    public static func loadingJSON(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading JSON") {
            URLLoadStep(request, session: session, options: options)
            JSONParseStep()
        }
    }

    /// A pipeline that loads a URL and decodes JSON as a type; it isn't started, and more steps can be added.
    public static func loadingJSON<Value: Decodable & Sendable>(
        _ url: URL, as type: Value.Type, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingJSON(URLRequest(url: url), as: type, session: session, options: options)
    }

    /// A pipeline that sends a request and decodes the JSON of the answer as a type; it isn't started.
    public static func loadingJSON<Value: Decodable & Sendable>(
        _ request: URLRequest, as type: Value.Type, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading JSON") {
            URLLoadStep(request, session: session, options: options)
            JSONDecodeStep<Value>()
        }
    }

    /// A pipeline that loads a URL and parses XML; it isn't started, and more steps can be added.
    public static func loadingXML(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingXML(URLRequest(url: url), session: session, options: options)
    }

    /// A pipeline that sends a request and parses the XML of the answer; it isn't started.
    public static func loadingXML(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading XML") {
            URLLoadStep(request, session: session, options: options)
            XMLParseStep()
        }
    }

    /// A pipeline that loads a URL and parses HTML; it isn't started, and more steps can be added.
    public static func loadingHTML(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingHTML(URLRequest(url: url), session: session, options: options)
    }

    /// A pipeline that sends a request and parses the HTML of the answer; it isn't started.
    public static func loadingHTML(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading HTML") {
            URLLoadStep(request, session: session, options: options)
            HTMLParseStep()
        }
    }
}
