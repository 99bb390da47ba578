import Foundation

/// Reports write errors that some file systems, such as NFS, return only when a file is closed.
///
/// Closing a duplicate reports these errors as well. The original descriptor keeps its lock: without it, other
/// processes could take the file for a leftover before it is renamed.
package func askForLateErrors(of descriptor: Int32, _ path: String) throws {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    // Without a free descriptor, the errors appear when the file itself is closed.
    guard copy >= 0 else { return }
    guard close(copy) == 0 || errno == EINTR else { throw SystemCallError("close", path) }
}
