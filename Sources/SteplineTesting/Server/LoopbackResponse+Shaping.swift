public import Foundation
import SteplineSupport

extension LoopbackResponse {
    /// Returns the response with a header line, which replaces lines with the same name.
    public func header(_ name: String, _ value: String) -> LoopbackResponse {
        changed { $0.headers[name] = value }
    }

    /// Returns the response in chunks of the given size, without a `Content-Length`.
    public func chunked(of size: Int = 16 << 10) -> LoopbackResponse {
        changed { $0.framing = .chunked(of: max(size, 1)) }
    }

    /// Returns the response without a length: the end of the connection ends the body.
    public func untilClose() -> LoopbackResponse {
        changed { $0.framing = .untilClose }
    }

    /// Returns the response, after which the server closes the connection.
    public func closing() -> LoopbackResponse {
        changed { $0.closesConnection = true }
    }

    /// Returns the response with a false `Content-Length`.
    ///
    /// If the length is too large, the connection is closed after the actual bytes.
    public func announcing(length: Int) -> LoopbackResponse {
        changed {
            $0.announcedLength = length
            $0.closesConnection = true
        }
    }

    /// Returns the response with an entity tag, including its quotes; a request with this tag receives a 304.
    public func etag(_ tag: String) -> LoopbackResponse { header("ETag", tag) }

    /// Returns the response with a modification date; a request with this date receives a 304.
    public func lastModified(_ date: Date) -> LoopbackResponse {
        header("Last-Modified", HTTPDate.text(of: date))
    }

    /// Returns the response with support for `Range` and `If-Range`, which lead to a part or a 416.
    public func servingRanges() -> LoopbackResponse {
        changed {
            $0.servesRanges = true
            $0.headers["Accept-Ranges"] = "bytes"
        }
    }

    /// Returns the response with gzip for requests that accept it.
    ///
    /// Ranges refer to the uncompressed bytes (``servingRanges()``). An endless body isn't compressed.
    public func gzipped() -> LoopbackResponse {
        changed { $0.isGzipped = true }
    }

    /// Returns the response with a fault.
    public func fault(_ fault: LoopbackFault) -> LoopbackResponse {
        changed { $0.fault = fault }
    }

    func changed(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
        var response = self
        change(&response)
        return response
    }
}
