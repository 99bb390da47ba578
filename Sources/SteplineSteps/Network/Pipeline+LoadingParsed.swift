public import Foundation
public import SteplineJSON
public import SteplinePipeline
public import SteplineRequests
public import SteplineXML

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The factories that load and parse; nothing is parsed after a refused status.
extension Pipeline where Output == JSON {
    /// Returns an unstarted pipeline that loads a URL and parses JSON.
    public static func loadingJSON(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingJSON(URLRequest(url: url), session: session, options: options)
    }

    /// Returns an unstarted pipeline that sends a request and parses the response as JSON.
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
    /// Returns an unstarted pipeline that loads a URL and decodes JSON as a type.
    public static func loadingJSON(
        _ url: URL, as type: Output.Type, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingJSON(URLRequest(url: url), as: type, session: session, options: options)
    }

    /// Returns an unstarted pipeline that sends a request and decodes the response from JSON as a type.
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
    /// Returns an unstarted pipeline that loads a URL and parses XML.
    public static func loadingXML(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingXML(URLRequest(url: url), session: session, options: options)
    }

    /// Returns an unstarted pipeline that sends a request and parses the response as XML.
    public static func loadingXML(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading XML") {
            URLLoadStep(request, session: session, options: options)
            XMLParseStep()
        }
    }

    /// Returns an unstarted pipeline that loads a URL and parses HTML.
    public static func loadingHTML(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loadingHTML(URLRequest(url: url), session: session, options: options)
    }

    /// Returns an unstarted pipeline that sends a request and parses the response as HTML.
    public static func loadingHTML(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading HTML") {
            URLLoadStep(request, session: session, options: options)
            HTMLParseStep()
        }
    }
}
