import Foundation
import SteplinePipeline
import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension XML.Options {
    /// Returns the options with the response's charset, unless they have their own.
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
    /// The response if there is one, declared by steps that decode text.
    static var possibleResponse: AnyContentKey {
        ContentKey<URLResponse?>(ContentKey<URLResponse>.urlResponse.name).erased
    }
}
