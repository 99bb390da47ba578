public import Foundation
public import SteplineJSON
import SteplinePipeline

/// Parses the content's bytes into Foundation objects, which cast to `[String: Any]`, `[Any]`, `String` and others.
///
/// Unless the options allow fragments, an object or an array must stand on top. Empty data is a success, and
/// nil; so is a `null` on top where fragments are allowed. `JSONParseStep` and `JSONDecodeStep` are
/// quicker, and lose nothing of the text.
public final class JSONObjectStep: ReadyMadeStep<Data, (any Sendable)?>, @unchecked Sendable {
    /// Makes a step that parses into Foundation's objects.
    public init(options: JSON.Options = .init(allowsFragments: false)) {
        super.init(copy: { JSONObjectStep(options: options) }) { data, _ in
            guard !data.isEmpty else { return nil }
            let json = try JSON(parsing: data, options: options)
            let object = json.foundationObject
            guard object != nil || json.isNull else {
                throw JSONError(.tooDeep, message: "Foundation's objects can't be nested that deep")
            }
            return object
        }
    }
}
