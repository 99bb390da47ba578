/// A run of a reactor.
public final class ReactorRun: Sendable {
    /// The number of the run in its manager, from 1.
    public let number: Int

    private let members: RunMembers
    private let control: any TaskControl

    init(number: Int, _ members: RunMembers, _ control: any TaskControl) {
        self.number = number
        self.members = members
        self.control = control
    }

    /// The handles that have triggered or joined the run so far, in order.
    public var triggers: [AnyTaskHandle] { members.list.map { AnyTaskHandle($0, control) } }
}
