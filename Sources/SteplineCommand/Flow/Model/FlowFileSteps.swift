/// A file search by patterns.
struct FlowFinding: Sendable {
    let patterns: [FlowTemplate]
    /// Whether links are followed, including those that leave the folder.
    var followsLinks = false
}

/// The file that a value is appended to, and its format.
///
/// Each run of the step appends, also after a retry of its task; see `FlowAppend.write(_:in:)`.
struct FlowAppend: Sendable {
    let place: FlowTemplate
    /// Any format but JSON.
    var format: FlowSave.Format?
}

/// An operation on files and folders.
struct FlowFileWork: Sendable {
    enum Act: Sendable {
        /// Copies to another path, or into a folder if the path ends in a slash.
        case copy(to: FlowTemplate)
        case move(to: FlowTemplate)
        case delete
        case makeFolder
    }

    let act: Act
    let places: [FlowTemplate]
    /// Whether an existing target is replaced.
    var replaces = false
    /// Whether folders are deleted with their contents.
    var takesFolders = false
    /// Whether a missing source is an error.
    var isRequired = true

    /// The target of the operation.
    var target: FlowTemplate? {
        switch act {
        case .copy(let place), .move(let place): place
        case .delete, .makeFolder: nil
        }
    }
}

extension FlowStep {
    /// The files and folders that the step creates, as far as they are written in the file.
    var madeFiles: [FlowTemplate] {
        switch verb {
        case .save(let save): [save.place]
        case .append(let append): [append.place]
        case .file(let work):
            if case .makeFolder = work.act { work.places } else { work.target.map { [$0] } ?? [] }
        default: []
        }
    }

    /// The files that the step reads or removes.
    var readFiles: [FlowTemplate] {
        switch verb {
        case .load(let load): [load.place]
        case .file(let work): if case .makeFolder = work.act { [] } else { work.places }
        default: []
        }
    }

    /// Whether the step may create unknown files.
    var makesUnknownFiles: Bool {
        if case .run = verb { true } else { madeFiles.contains { $0.literal == nil } }
    }
}
