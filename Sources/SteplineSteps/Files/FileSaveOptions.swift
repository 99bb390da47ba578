/// The options for saving a file.
public struct FileSaveOptions: Sendable, Hashable {
    /// The data that is guaranteed to be on the disk when the step ends.
    public enum Sync: Sendable, Hashable {
        /// Nothing.
        case none
        /// The content of the file.
        case file
        /// The content and the name of the file.
        case fileAndDirectory
    }

    /// Whether the file is replaced atomically: readers see the complete old or new file.
    ///
    /// Otherwise an existing file is overwritten in place, and stays incomplete after a failure or a cancellation.
    public var isAtomic = true

    /// Whether missing directories are created.
    public var createsDirectories = true

    /// Whether an existing file is replaced; otherwise an existing file is an error.
    public var replaces = true

    /// Whether a symbolic link at the path is followed; otherwise a link is an error.
    public var followsLinks = true

    /// The data to synchronize to the disk.
    public var sync = Sync.none

    /// Creates options for replacing a file atomically.
    public init() {}
}
