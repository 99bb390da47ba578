public import Foundation
public import SteplineJSON
public import SteplinePipeline
public import SteplineRequests
public import SteplineXML

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loading and parsing in a line; a refused status means that nothing is parsed.
extension Pipeline where Output == JSON {
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
}

extension Pipeline where Output: Decodable {
    /// A pipeline that loads a URL and decodes JSON as a type; it isn't started, and more steps can be added.
    public static func loadingJSON(
        _ url: URL, as type: Output.Type, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingJSON(URLRequest(url: url), as: type, session: session, options: options)
    }

    /// A pipeline that sends a request and decodes the JSON of the answer as a type; it isn't started.
    public static func loadingJSON(
        _ request: URLRequest, as type: Output.Type, session: URLSession? = nil,
        options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading JSON") {
            URLLoadStep(request, session: session, options: options)
            JSONDecodeStep<Output>()
        }
    }
}

extension Pipeline where Output == XML.Document {
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
