extension ReportScript {
    /// Makes the controls, and answers them, the keyboard and the window.
    static let answering = #"""
        const search = byID("search");

        function makeFilters() {
            const counts = new Array(states.length).fill(0);
            let critical = 0;
            for (let row = 0; row < count; row++) {
                counts[state[row]] += 1;
                critical += isCritical(row);
            }
            const add = (label, number, toggle, isOn) => {
                const chip = element("button", { type: "button", class: "chip" }, label);
                if (number) chip.append(element("span", { class: "quiet" }, grouped(number)));
                const show = () => chip.setAttribute("aria-pressed", isOn());
                chip.onclick = () => {
                    toggle();
                    show();
                    viewport.scrollTop = 0;
                    showList();
                };
                chips.push(show);
                byID("filters").append(chip);
                return chip;
            };
            counts.forEach((number, place) => {
                if (!number) return;
                const chip = add(states[place], number, () => {
                    if (!view.states.delete(place)) view.states.add(place);
                }, () => view.states.has(place));
                chip.dataset.state = stateNames[place];
                chip.prepend(mark(stateNames[place]));
            });
            if (critical) {
                add("◆ Critical path", critical, () => { view.onlyCritical = !view.onlyCritical; },
                    () => view.onlyCritical).dataset.state = "critical";
            }
            if (hasTimes) {
                add("In view", 0, () => { view.onlyVisible = !view.onlyVisible; }, () => view.onlyVisible)
                    .title = "Only what ran in the time that the timeline shows";
            }
        }
        const chips = [];
        const showChips = () => chips.forEach((show) => show());

        function makeOrders() {
            for (const [name, { label, needsTimes }] of Object.entries(orders)) {
                if (!needsTimes || hasTimes) byID("sort").append(element("option", { value: name }, label));
            }
            byID("sort").onchange = (event) => {
                view.isTurned = false;
                view.sort = event.target.value;
                viewport.scrollTop = 0;
                showList();
            };
            byID("turn").onclick = () => { view.isTurned = !view.isTurned; showList(); };
        }

        function reset() {
            Object.assign(view, { query: "", onlyCritical: false, onlyVisible: false });
            view.states.clear();
            search.value = "";
            showChips();
            showList();
        }

        const pageful = () => Math.max(1, Math.floor(viewport.clientHeight / rowHeight) - 1);
        const step = (by) => {
            const place = placeOf[view.selected] ?? -1;
            selectPlace(place < 0 ? (by < 0 ? listed.length - 1 : 0) : place + by);
        };
        const keys = {
            ArrowDown: () => step(1), ArrowUp: () => step(-1),
            PageDown: () => step(pageful()), PageUp: () => step(-pageful()),
            Home: () => selectPlace(0), End: () => selectPlace(listed.length - 1),
            Enter: () => showDetails(view.selected >= 0 ? view.selected : listed[0] ?? -1),
            "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => show(0, length),
            ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
        };
        const timeKeys = new Set(["+", "=", "-", "0", "ArrowLeft", "ArrowRight"]);

        function answerKeys() {
            grid.addEventListener("keydown", (event) => {
                if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
                if (event.target != grid || timeKeys.has(event.key) && !hasTimes) return;
                event.preventDefault();
                keys[event.key]();
            });
            panel.addEventListener("keydown", (event) => {
                const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (!by || event.target != panel) return;
                event.preventDefault();
                step(by);
            });
            search.addEventListener("keydown", (event) => {
                if (event.key == "Escape") {
                    if (search.value) setSearch(""); else grid.focus();
                } else if (event.key == "Enter" || event.key == "ArrowDown") {
                    grid.focus();
                    if (placeOf[view.selected] === undefined || placeOf[view.selected] < 0) selectPlace(0);
                } else {
                    return;
                }
                event.preventDefault();
                event.stopPropagation();
            });
            search.addEventListener("input", () => setSearch(search.value));
            document.addEventListener("keydown", (event) => {
                const isTyping = event.target.closest?.("input, select, textarea");
                if (event.key == "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
                    event.preventDefault();
                    search.focus();
                    search.select();
                } else if (event.key == "Escape" && hideDetails()) {
                    event.preventDefault();
                }
            });
        }

        function setSearch(text) {
            search.value = view.query = text;
            viewport.scrollTop = 0;
            showList();
        }

        // From what the page tells without a script to what this one does.
        function linkFailures() {
            const rows = new Map();
            for (const article of document.querySelectorAll(".failure[data-task]")) {
                if (!rows.size) for (let row = 0; row < count; row++) rows.set(identifier(row), row);
                const row = rows.get(article.dataset.task);
                const button = element("button", { type: "button" }, "Details");
                button.onclick = () => showDetails(row);
                article.append(button);
            }
        }

        function begin() {
            readAddress();
            readColors();
            byID("explorer").hidden = false;
            search.value = view.query;
            makeHead();
            makeFilters();
            makeOrders();
            answerKeys();
            viewport.addEventListener("scroll", oncePerFrame(() => { showRows(); drawTimes(); }));
            byID("reset").onclick = reset;
            const redraw = oncePerFrame(() => { readColors(); showRows(); drawTimes(); drawMap(); });
            window.addEventListener("resize", redraw);
            matchMedia("(prefers-color-scheme:dark)").addEventListener("change", redraw);
            if (hasTimes) {
                byID("zoom-in").onclick = () => zoom(0.5);
                byID("zoom-out").onclick = () => zoom(2);
                byID("zoom-all").onclick = () => show(0, length);
                answerPointer();
            }
            showChips();
            showList();
            linkFailures();
            beginMap();
            performance.mark("stepline-shown");
        }
        begin();
        """#
}
