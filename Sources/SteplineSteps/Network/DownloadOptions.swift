public import SteplineRequests

/// How something is downloaded into a file.
///
/// All of `LoadOptions` can be set on it directly: `options.sizeLimit = 1 << 20`.
@dynamicMemberLookup
public struct DownloadOptions: Sendable {
    /// How it is loaded: by default at most 64 GiB, in at most a day.
    public var load: LoadOptions

    /// Whether a part that was received is kept after a failure, and the next run asks for the rest only.
    ///
    /// The part is a hidden neighbour of the file. It is used only if the server says that nothing has changed.
    public var resumes = false

    /// Whether a symbolic link in the file's place is followed; otherwise it is an error.
    public var followsLinks = true

    /// What is on the disk, and not only in the system's memory, when the step ends.
    public var sync = FileSaveOptions.Sync.none

    /// Makes options for replacing a file when it is complete.
    public init() {
        load = LoadOptions()
        load.sizeLimit = LoadOptions.mostElsewhere
        load.totalTimeout = .seconds(86_400)
    }

    /// The options of the load itself.
    public subscript<Value>(dynamicMember member: WritableKeyPath<LoadOptions, Value>) -> Value {
        get { load[keyPath: member] }
        set { load[keyPath: member] = newValue }
    }
}
