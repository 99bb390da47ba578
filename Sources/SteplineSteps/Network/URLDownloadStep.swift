public import Foundation
public import SteplinePipeline
import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Downloads a URL into a file, whose URL is the output.
///
/// Bytes are written to a hidden neighbour, which is renamed when complete: readers see the complete old or new
/// file. Missing directories are created. Memory use is constant. Otherwise like ``URLLoadStep``; the body of a
/// refused status is part of the error, never of the file.
public final class URLDownloadStep: StepOperation, TypedStep,
    @unchecked Sendable  // all stored properties are constant
{
    private let load: NetworkLoad
    private let file: URL
    private let downloadOptions: DownloadOptions

    /// Creates a step that downloads a URL.
    public convenience init(_ url: URL, to file: URL, options: DownloadOptions = .init()) {
        self.init(URLRequest(url: url), to: file, options: options)
    }

    /// Creates a step that downloads the response to a request, optionally over a given session.
    public init(
        _ request: URLRequest, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) {
        load = NetworkLoad(request: request, session: session, options: options.load)
        self.file = file
        downloadOptions = options
        super.init()
    }

    private init(copying other: URLDownloadStep) {
        load = other.load
        file = other.file
        downloadOptions = other.downloadOptions
        super.init()
    }

    /// The input: nothing, except an entry of the content for the request body.
    public var inputKey: ContentKey<Void> { .nothing }

    /// The file's URL.
    public var outputKey: ContentKey<URL> { .body }

    /// The entries that the step reads: the request body, if it is an entry of the content.
    public override var inputs: [AnyContentKey] { load.options.body.declared }

    /// The entries that the step writes: the file's URL and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// The errors in the settings: not a file URL, a forbidden scheme, a background session.
    public override var configurationProblems: [String] {
        let uncached = load.options.cache == nil ? [] : ["a download isn't cached; load it, and save it"]
        return load.problems + uncached + file.problemsAsFile
    }

    /// The file.
    public override var produces: [URL] { [file] }

    /// Creates an unused step with the same request, file, session and options.
    public override func makeCopy() -> any Step {
        let copy = URLDownloadStep(copying: self)
        copy.takeOptions(of: self)
        return copy
    }

    /// Downloads.
    public override func main() {
        let key = outputKey
        let clock = context.clock
        load.download(
            in: context, content,
            prepare: { [file, downloadOptions] plan in
                try FileError.inCalls {
                    let place = try FilePlace(
                        file.pathOfFile(), makingFolder: true, followingLinks: downloadOptions.followsLinks)
                    let old = try place.existingStatus()
                    let revalidation = Revalidation(
                        &plan, clock: clock, file: place.path, fileMark: old?.mark)
                    return (try DownloadSink(file, place, downloadOptions, &plan), revalidation)
                }
            },
            store: { result, bag in
                bag[key] = result.value.url
                bag[.urlResponse] = result.response
            })
    }
}
