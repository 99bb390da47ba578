import SteplineWorkflow

/// The parts of the page that the script fills; hidden until then.
extension HTMLReport {
    var tasks: String {
        guard !rows.isEmpty else { return "" }
        let hasTimes = first != nil
        return """
            <section id="tasks"\(hasTimes ? "" : " class=\"timeless\"")><h2>Tasks</h2>
            <noscript><p class="quiet">The list of all tasks and their timeline are made by the page’s script, \
            which isn’t allowed to run here.</p></noscript>
            \(hasTimes ? "" : advice)<div id="explorer" hidden="">
            <div class="tools">
            <label class="search"><span class="unseen">Search for names and errors</span>
            <input id="search" type="search" placeholder="Search names and errors" autocomplete="off" \
            spellcheck="false" aria-keyshortcuts="/"/><kbd aria-hidden="true">/</kbd></label>
            <div id="filters" class="chips" role="group" aria-label="Show only"></div>
            </div>
            <div class="tools">
            <p id="count" class="count" role="status"></p>
            \(hasTimes ? zoom : "")</div>
            <div id="grid" class="grid" role="grid" tabindex="0" aria-label="Tasks" aria-describedby="keys">
            <div id="head" class="row head" role="row"></div>
            <div id="viewport" class="viewport" role="rowgroup"><div id="space" class="space" role="presentation">\
            </div>\(hasTimes ? "<canvas id=\"bars\" class=\"bars\" aria-hidden=\"true\"></canvas>" : "")</div>
            </div>
            <p id="nothing" class="nothing quiet" hidden="">No task is like that. \
            <button id="reset" type="button" class="plain">Show all</button></p>
            \(keys)
            </div></section>
            <aside id="details" class="details" role="dialog" aria-labelledby="details-name" tabindex="-1" \
            hidden=""></aside>
            """
    }

    private var advice: String {
        "<p class=\"quiet\">Set <code>keptAttempts</code> in the workflow’s options to see when tasks ran, and why "
            + "so late.</p>"
    }

    private var zoom: String {
        """
        <div class="zoom" role="group" aria-label="Zoom the timeline"><span id="window" class="window"></span>\
        <button id="zoom-out" type="button" aria-label="Zoom out" aria-keyshortcuts="-">−</button>\
        <button id="zoom-in" type="button" aria-label="Zoom in" aria-keyshortcuts="+">+</button>\
        <button id="zoom-all" type="button" aria-keyshortcuts="0">All</button></div>
        """
    }

    private var keys: String {
        var pairs = [("/", "search"), ("↑ ↓", "choose"), ("Enter", "details"), ("Esc", "back")]
        if first != nil { pairs += [("+ −", "zoom"), ("← →", "move"), ("0", "all")] }
        let list = pairs.map { "<span><kbd>\($0.0)</kbd> \($0.1)</span>" }.joined(separator: " ")
        let samples =
            first == nil
            ? ""
            : "<span><i class=\"sample bar\"></i> body</span> <span><i class=\"sample wait\"></i> wait</span> "
                + "<span class=\"critical\">◆ critical path</span> <span>Drag over times to zoom.</span> "
        return "<p id=\"keys\" class=\"key quiet\">\(samples)\(list)</p>"
    }
}
