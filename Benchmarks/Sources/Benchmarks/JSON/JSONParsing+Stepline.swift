import Foundation
import Stepline

extension JSONParsing {
    static func parseByStepline(_ data: Data) {
        if orFail({ try JSON(parsing: data) }).count == 0 { fatalError("there are orders") }
    }
}
