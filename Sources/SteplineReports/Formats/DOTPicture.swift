import SteplineWorkflow
enum DOTPicture { static func draw(_ graph: WorkflowGraph) -> String { "" } }
enum MermaidPicture { static func draw(_ graph: WorkflowGraph) -> String { "" } }
enum SVGPicture { static func draw(_ graph: WorkflowGraph) -> String { "" } }
enum HTMLReport { static func draw(_ graph: WorkflowGraph) -> String { "" } }
enum TracePicture { static func draw(_ graph: WorkflowGraph) -> String { "" } }
