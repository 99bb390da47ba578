/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: ManagedTaskHandle {
    let record: TaskRecord
    let door: ManagerCore

    init(_ record: TaskRecord, _ door: ManagerCore) {
        self.record = record
        self.door = door
    }

    /// The handle itself.
    public var erased: AnyTaskHandle { self }
}
