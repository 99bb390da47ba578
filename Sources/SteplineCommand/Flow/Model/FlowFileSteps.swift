/// Files that are looked for by patterns.
struct FlowFinding: Sendable {
    let patterns: [FlowTemplate]
    /// Whether links to folders are gone through, and those that lead out of the folder.
    var followsLinks = false
}

/// Where the value is put behind what a file holds already, and how it is written.
struct FlowAppend: Sendable {
    let place: FlowTemplate
    /// Any format but JSON.
    var format: FlowSave.Format?
}

/// Something done to files and folders as they are.
struct FlowFileWork: Sendable {
    enum Act: Sendable {
        /// To another place, or into a folder if that ends in a slash.
        case copy(to: FlowTemplate)
        case move(to: FlowTemplate)
        case delete
        case makeFolder
    }

    let act: Act
    let places: [FlowTemplate]
    /// Whether what is at the new place is replaced.
    var replaces = false
    /// Whether folders are deleted, with all in them.
    var takesFolders = false
    /// Whether it is no failure that nothing is there.
    var ifThere = false

    /// Where the files come to.
    var target: FlowTemplate? {
        switch act {
        case .copy(let place), .move(let place): place
        case .delete, .makeFolder: nil
        }
    }
}

extension FlowStep {
    /// The files and folders that it makes, as far as their paths are written.
    var madeFiles: [FlowTemplate] {
        switch verb {
        case .save(let save): [save.place]
        case .append(let append): [append.place]
        case .file(let work):
            if case .makeFolder = work.act { work.places } else { work.target.map { [$0] } ?? [] }
        default: []
        }
    }

    /// The files that it reads, or takes away.
    var readFiles: [FlowTemplate] {
        switch verb {
        case .load(let load): [load.place]
        case .file(let work): if case .makeFolder = work.act { [] } else { work.places }
        default: []
        }
    }

    /// Whether it may make files of which nothing is known.
    var makesUnknownFiles: Bool {
        if case .run = verb { true } else { madeFiles.contains { $0.literal == nil } }
    }
}
