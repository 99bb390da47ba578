import Stepline

/// The same steps, made and started one by one on this thread: what is left when there is no engine at all.
func runByHand(_ count: Int, steps: Int) {
    var first = Content()
    first.bodyObject = 0
    for _ in 0..<count {
        var bag = first
        for _ in 0..<steps {
            let step = AddOne()
            step.content = bag
            step.start()
            bag = step.content
        }
    }
}
