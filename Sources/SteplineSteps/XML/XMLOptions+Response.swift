import Foundation
import SteplinePipeline
import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension XML.Options {
    /// The options, with the charset of the response that the bytes came with unless they name one themselves.
    func filled(from bag: Content) -> XML.Options {
        guard charset == nil, let named = bag[.urlResponse]?.textEncodingName, !named.isEmpty else {
            return self
        }
        var options = self
        options.charset = named
        return options
    }
}

extension AnyContentKey {
    /// The response, where there is one: steps that read text from bytes declare that they look at it.
    static var possibleResponse: AnyContentKey {
        ContentKey<URLResponse?>(ContentKey<URLResponse>.urlResponse.name).erased
    }
}
