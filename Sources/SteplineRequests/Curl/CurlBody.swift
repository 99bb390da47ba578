#if os(Linux)
    import Foundation
    import FoundationNetworking

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The bytes of a request's body, read piece by piece during the transfer.
    final class CurlBody {
        private enum Source {
            case data(Data)
            case file(Int32)
        }

        /// The number of bytes.
        let count: Int64
        private(set) var sent: Int64 = 0
        private let source: Source

        /// Opens a body; nil for no body.
        ///
        /// Throws a ``RequestError`` if the file can't be read.
        init?(_ body: TransportBody, of request: URLRequest) throws {
            switch body {
            case .none:
                return nil
            case .data(let data):
                source = .data(data)
                count = Int64(data.count)
            case .file(let file):
                let descriptor = open(file.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
                var status = stat()
                guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
                else {
                    // `errno` is read before `close`, which may change it.
                    let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                    if descriptor >= 0 { close(descriptor) }
                    throw RequestError(
                        .body, "can't read the file of the body", request: request, underlying: cause)
                }
                source = .file(descriptor)
                count = Int64(status.st_size)
            }
        }

        deinit {
            if case .file(let descriptor) = source { close(descriptor) }
        }

        /// Reads the next bytes; returns 0 at the end, nil on an error.
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
            let length = Int(min(Int64(buffer.count), count - sent))
            guard length > 0 else { return 0 }
            switch source {
            case .data(let data):
                let start = data.startIndex + Int(sent)
                data.copyBytes(to: buffer, from: start..<(start + length))
                sent += Int64(length)
                return length
            case .file(let descriptor):
                // `pread` with an explicit offset: a seek needs no system call.
                let got = pread(descriptor, buffer.baseAddress, length, off_t(sent))
                // A file that became shorter can't fulfil the announced length.
                guard got > 0 else { return nil }
                sent += Int64(got)
                return got
            }
        }

        /// Moves to an offset to send the body again from there; returns false for an invalid offset.
        func seek(to offset: Int64) -> Bool {
            guard (0...count).contains(offset) else { return false }
            sent = offset
            return true
        }
    }
#endif
