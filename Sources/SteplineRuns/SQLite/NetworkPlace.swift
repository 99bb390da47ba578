import CSQLite

/// The network file systems on which a store is refused.
///
/// SQLite needs shared memory and file locks between its writers. Machines on a network file system share neither.
package enum NetworkPlace {
    /// The names by the type number of `statfs`.
    private static let names: [Int64: String] = [
        // -1 stands for any volume on Apple's systems that isn't local.
        -1: "a network file system", 0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB",
        0x564C: "NCP", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x0102_1997: "9P",
        0x00C3_6400: "Ceph", 0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS", 0x1983_0326: "BeeGFS",
        0x2003_0528: "OrangeFS", 0x0116_1970: "GFS2", 0x7461_636F: "OCFS2",
    ]

    /// Returns the name of a network file system; nil for other types.
    package static func name(of number: Int64) -> String? { names[number] }

    /// Throws an error if the folder is on a network file system.
    static func check(folder: String, store: String) throws {
        guard let kind = name(of: stepline_file_system(folder)) else { return }
        throw RunStoreError(
            .unsuitablePlace, store: store,
            "it would be on \(kind), where machines that write at once would damage it; put it on a local "
                + "disk, use a server for several machines, or insist on the place if one machine alone uses it"
        )
    }
}
