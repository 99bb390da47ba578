public import SteplineRequests

/// The options for downloading into a file.
///
/// All `LoadOptions` can be set directly: `options.sizeLimit = 1 << 20`.
@dynamicMemberLookup
public struct DownloadOptions: Sendable {
    /// The load options: by default at most 64 GiB within a day.
    public var load: LoadOptions

    /// Whether a partial file is kept after a failure, so that the next run requests only the rest.
    ///
    /// The part is a hidden neighbour of the file. It is used only if the server confirms that the file hasn't changed.
    public var resumes = false

    /// Whether a symbolic link at the path is followed; otherwise a link is an error.
    public var followsLinks = true

    /// The data that is guaranteed to be on the disk when the step ends.
    public var sync = FileSaveOptions.Sync.none

    /// Creates options for replacing the file when it is complete.
    public init() {
        load = LoadOptions()
        load.sizeLimit = LoadOptions.mostElsewhere
        load.totalTimeout = .seconds(86_400)
    }

    /// The load options.
    public subscript<Value>(dynamicMember member: WritableKeyPath<LoadOptions, Value>) -> Value {
        get { load[keyPath: member] }
        set { load[keyPath: member] = newValue }
    }
}
