import Foundation

@testable import SteplineCommand

/// The system's libyaml, by which workflow files in YAML are read.
enum LibYAML {
    static let absence = "libyaml isn't found: install it (Debian: apt-get install libyaml-0-2)"

    /// Whether tests in YAML run: they fail if libyaml is required and missing.
    static let isNeeded =
        YAMLReader.isAvailable || ProcessInfo.processInfo.environment["STEPLINE_REQUIRES_LIBYAML"] != nil
}
