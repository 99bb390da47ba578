extension ReportScript {
    /// The list: of however many tasks, elements are made only for those in sight, and used again as it is scrolled.
    static let listing = #"""
        const grid = byID("grid"), viewport = byID("viewport"), space = byID("space");
        const rowHeight = 30, beyond = 6;

        const columns = [
            { name: "name", title: "Task", sort: "name" },
            { name: "state", title: "State", sort: "state", text: (row) => states[state[row]] },
            { name: "attempts", title: "Attempts", sort: "attempts", text: (row) => String(attempt[row]) },
            { name: "waited", title: "Waited", sort: "waited", needsTimes: true,
                text: (row) => total.waited[row] ? timeText(total.waited[row]) : "–" },
            { name: "took", title: "Took", sort: "took", needsTimes: true,
                text: (row) => hasRun(row) ? timeText(total.took[row]) : "–" },
            { name: "slack", title: "Slack", sort: "slack", needsTimes: true,
                text: (row) => slack[row] < 0 ? "–" : slack[row] ? timeText(slack[row]) : "none" },
        ].filter((column) => hasTimes || !column.needsTimes);

        function makeHead() {
            for (const column of columns) {
                const button = element("button", { type: "button", tabindex: "-1" }, column.title);
                button.onclick = () => sortBy(column.sort);
                column.head = element("div", { role: "columnheader", class: "cell " + column.name }, button);
                byID("head").append(column.head);
            }
            if (hasTimes) {
                const axis = element("canvas", { id: "axis", "aria-hidden": "true" });
                byID("head").append(element("div", { role: "presentation", class: "cell axis" }, axis));
            }
        }

        // The rows' elements, by the place that each shows now.
        const shown = new Map();
        const spare = [];

        function makeRow() {
            const line = element("div", { class: "row", role: "row" });
            line.parts = { mark: mark("pending"), name: element("bdi", { class: "name" }), cells: [] };
            line.parts.critical = element("span", { class: "critical", title: "on the critical path" });
            for (const column of columns) {
                const cell = element("div", { role: "gridcell", class: "cell " + column.name });
                if (column.name == "name") {
                    cell.append(line.parts.mark, line.parts.critical, line.parts.name);
                } else {
                    line.parts.cells.push([cell, column.text]);
                }
                line.append(cell);
            }
            line.onclick = () => { select(line.row); grid.focus({ preventScroll: true }); };
            line.ondblclick = () => showDetails(line.row);
            return line;
        }

        function fillRow(line, place) {
            const row = listed[place], { parts } = line;
            line.style.transform = `translateY(${place * rowHeight}px)`;
            line.setAttribute("aria-rowindex", place + 2);
            line.classList.toggle("odd", place % 2 == 1);
            line.classList.toggle("selected", row == view.selected);
            line.setAttribute("aria-selected", row == view.selected);
            if (line.row === row) return;
            line.row = row;
            line.id = "row-" + row;
            setMark(parts.mark, stateNames[state[row]]);
            parts.critical.textContent = isCritical(row) ? "◆ " : "";
            const before = around(row);
            parts.name.textContent = "";
            if (before) parts.name.append(element("span", { class: "quiet" }, before));
            parts.name.append(names[row] || "\u00A0");
            parts.name.title = before + names[row];
            for (const [cell, text] of parts.cells) cell.textContent = text(row);
        }

        function firstInSight() { return Math.floor(viewport.scrollTop / rowHeight); }
        function countInSight() { return Math.ceil(viewport.clientHeight / rowHeight) + 1; }

        function showRows() {
            const first = Math.max(0, firstInSight() - beyond);
            const end = Math.min(listed.length, firstInSight() + countInSight() + beyond);
            for (const [place, line] of shown) {
                if (place >= first && place < end) continue;
                shown.delete(place);
                spare.push(line);
            }
            for (let place = first; place < end; place++) {
                let line = shown.get(place);
                if (!line) {
                    line = spare.pop() || makeRow();
                    shown.set(place, line);
                    if (!line.isConnected) space.append(line);
                }
                fillRow(line, place);
            }
            for (const line of spare.splice(0)) line.remove();
            const place = placeOf[view.selected] ?? -1;
            if (shown.has(place)) grid.setAttribute("aria-activedescendant", "row-" + view.selected);
            else grid.removeAttribute("aria-activedescendant");
        }

        function showList() {
            choose();
            shown.forEach((line) => { line.row = undefined; });
            space.style.height = listed.length * rowHeight + "px";
            viewport.hidden = listed.length == 0;
            // The head stands above the list, beside whose rows there may be a scroll bar.
            byID("head").style.paddingRight = viewport.offsetWidth - viewport.clientWidth + "px";
            byID("nothing").hidden = listed.length > 0;
            grid.setAttribute("aria-rowcount", listed.length + 1);
            byID("count").textContent = listed.length == count
                ? counted(count, "task") : `${grouped(listed.length)} of ${counted(count, "task")}`;
            for (const column of columns) {
                const isIt = column.sort == view.sort;
                column.head.classList.toggle("sorted", isIt);
                if (isIt) column.head.setAttribute("aria-sort", isDescending() ? "descending" : "ascending");
                else column.head.removeAttribute("aria-sort");
            }
            byID("sort").value = view.sort;
            byID("turn").textContent = isDescending() ? "↓" : "↑";
            showRows();
            drawTimes();
            writeAddress();
        }

        // Times taken, waits and attempts begin with the most.
        const isDescending = () => ["took", "waited", "attempts"].includes(view.sort) != view.isTurned;

        function sortBy(name) {
            view.isTurned = view.sort == name && !view.isTurned;
            view.sort = name;
            viewport.scrollTop = 0;
            showList();
        }

        function select(row) {
            view.selected = row;
            const place = placeOf[row];
            if (place >= 0) {
                const top = place * rowHeight, sight = viewport.clientHeight;
                if (top < viewport.scrollTop) viewport.scrollTop = top;
                if (top + rowHeight > viewport.scrollTop + sight) viewport.scrollTop = top + rowHeight - sight;
            }
            showRows();
            drawTimes();
            if (!byID("details").hidden) fillDetails(row);
        }

        function selectPlace(place) {
            if (listed.length) select(listed[limited(place, 0, listed.length - 1)]);
        }
        """#
}
