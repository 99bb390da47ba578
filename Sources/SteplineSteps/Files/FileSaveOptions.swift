/// How a file is saved.
public struct FileSaveOptions: Sendable, Hashable {
    /// What is on the disk, and not only in the system's memory, when the step ends.
    public enum Sync: Sendable, Hashable {
        /// Nothing in particular.
        case none
        /// The file's bytes.
        case file
        /// The file's bytes and its name.
        case fileAndDirectory
    }

    /// Whether the file is replaced in one moment: whoever looks sees the old one or the new one, whole.
    public var isAtomic = true

    /// Whether missing directories are made, on all levels.
    public var createsDirectories = true

    /// Whether an existing file is replaced; otherwise it is an error.
    public var replaces = true

    /// Whether a symbolic link in the file's place is followed; otherwise it is an error.
    public var followsLinks = true

    /// What is waited for.
    public var sync = Sync.none

    /// Makes options for replacing a file atomically.
    public init() {}
}
