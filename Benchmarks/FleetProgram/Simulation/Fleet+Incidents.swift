/// The incidents of a plan.
extension Fleet {
    /// A third of all is gone at once, and nobody has told the servers, which keep its connections for a while.
    mutating func loseRegion() {
        for actor in callers.indices where callers[actor].region == 0 && !callers[actor].isGone {
            callers[actor].isGone = true
            let life = servers[callers[actor].server].life
            let end = now + FleetPlan.patienceOfServer
            if callers[actor].connected == life { add(.giveUp, of: actor, number: UInt32(life), at: end) }
            if callers[actor].listens == life {
                add(.giveUp, of: actor, number: UInt32(life), claim: 1, at: end)
            }
            callers[actor].connected = -1
            callers[actor].listens = -1
            callers[actor].listening &+= 1
        }
    }

    mutating func giveUp(_ actor: Int, life: Int, isListener: Bool) {
        let server = callers[actor].server
        guard servers[server].life == life else { return }
        servers[server].connections -= 1
        if isListener { servers[server].listeners -= 1 }
    }

    /// A server is gone; who listens notices that within a moment, and who asks something when no answer comes.
    mutating func fail(server: Int) {
        servers[server].fail(at: now)
        for actor in callers.indices
        where callers[actor].server == server && callers[actor].listens >= 0 && !callers[actor].isGone {
            listenAnew(actor, in: dice.roll() * Caller.listenerPause)
        }
    }
}
