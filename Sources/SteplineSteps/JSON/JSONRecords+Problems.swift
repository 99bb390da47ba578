import Foundation
import SteplineJSON

extension JSON.Records {
    /// The problems of the settings: a malformed pointer.
    var problems: [String] {
        guard case .elements(let pointer) = self else { return [] }
        return Result { () throws(JSONError) in try JSONPointer(pointer) }.problems(of: "pointer", pointer)
    }
}
