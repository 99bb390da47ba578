import Foundation

/// Asks for the errors that some file systems, such as NFS, report only when a file is closed, and leaves it open.
///
/// To close a copy asks for them as well, and the lock stays with the descriptor that is left: were the file closed
/// for good before it is in place, others could take it for one that was left over.
package func askForLateErrors(of descriptor: Int32, _ path: String) throws {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    // Where no descriptor is to be had, the end of the file itself tells them.
    guard copy >= 0 else { return }
    guard close(copy) == 0 || errno == EINTR else { throw SystemCallError("close", path) }
}
