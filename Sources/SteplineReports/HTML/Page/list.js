// The list of tasks: which are listed, in which order, and the elements of those in sight.

const grid = byID("grid"), viewport = byID("viewport"), space = byID("space");
const rowHeight = 30, rowsBeyondSight = 6;

// What the page shows. All but the window and the selected task is also in the page's address.
const defaultSort = hasTimes ? "began" : "";
const view = {
    query: "", states: new Set(), onlyCritical: false, sort: defaultSort, isTurned: false,
    from: 0, to: runLength, selected: null,
};
// The listed tasks in their order; each has its index in `place`, the other tasks have -1.
let listed = [];

// Failures come first.
const urgency = stateNames.map((name) =>
    ["failed", "cancelled", "blocked", "executing", "ready", "pending", "finished"].indexOf(name));

// A column sorts by `key`, from the least; tasks whose key is NaN come last. `isMostFirst` reverses the first order.
const columns = [
    { name: "name", title: "Task", key: nameRank },
    { name: "state", title: "State", key: (task) => urgency[task.state], text: (task) => states[task.state] },
    { name: "attempts", title: "Attempts", isMostFirst: true,
        key: (task) => task.attempt, text: (task) => task.attempt },
    { name: "began", title: "Began", needsTimes: true, key: (task) => task.began,
        text: (task) => hasRun(task) ? timeText(task.began) : "–" },
    { name: "waited", title: "Waited", needsTimes: true, isMostFirst: true,
        key: (task) => hasRun(task) ? task.waited : NaN, text: (task) => task.waited ? timeText(task.waited) : "–" },
    { name: "took", title: "Took", needsTimes: true, isMostFirst: true,
        key: (task) => hasRun(task) ? task.took : NaN, text: (task) => hasRun(task) ? timeText(task.took) : "–" },
].filter((column) => hasTimes || !column.needsTimes);

// The place of each name among all names. Built by the first sort by name, since comparing names is slow.
function nameRank(task) {
    if (task.rank === undefined) {
        const compare = new Intl.Collator(undefined, { numeric: true }).compare;
        const names = tasks.map(fullName);
        [...tasks].sort((a, b) => compare(names[a.row], names[b.row]) || a.row - b.row)
            .forEach((task, rank) => { task.rank = rank; });
    }
    return task.rank;
}

const isDescending = (column) => (column.isMostFirst ?? false) != view.isTurned;

function choose() {
    const words = view.query.toLowerCase().split(/\s+/).filter(Boolean);
    const column = columns.find(({ name }) => name == view.sort);
    const sign = column && isDescending(column) ? -1 : 1;
    listed = tasks.filter((task) => {
        task.place = -1;
        const key = column ? column.key(task) : task.row;
        task.key = Number.isNaN(key) ? Infinity : sign * key;
        return (!view.states.size || view.states.has(task.state)) && (!view.onlyCritical || task.critical)
            && words.every((word) => searchText(task).includes(word));
    });
    listed.sort((a, b) => a.key == b.key ? a.row - b.row : a.key - b.key);
    listed.forEach((task, place) => { task.place = place; });
}

// MARK: Elements

function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function button(label, action, attributes = {}) {
    const made = element("button", { type: "button", ...attributes }, label);
    made.onclick = action;
    return made;
}

// The mark of a state, whose shape the page defines for all drawings.
function mark(name) {
    const vector = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(vector, "svg"), use = document.createElementNS(vector, "use");
    picture.setAttribute("class", "inline");
    picture.setAttribute("viewBox", "0 0 18 18");
    picture.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#mark-" + name);
    use.setAttribute("class", "mark " + name);
    picture.append(use);
    return picture;
}

function makeHead() {
    for (const column of columns) {
        column.head = element("div", { role: "columnheader", class: "cell " + column.name },
            button(column.title, () => sortBy(column.name)));
        byID("head").append(column.head);
    }
    if (hasTimes) {
        const axis = element("canvas", { id: "axis", "aria-hidden": "true" });
        byID("head").append(element("div", { role: "presentation", class: "cell axis" }, axis));
    }
}

// The first click on a head sorts, the second reverses, the third restores the order that the page began with.
function sortBy(name) {
    const isAgain = view.sort == name;
    if (isAgain && view.isTurned && name != defaultSort) view.sort = defaultSort;
    else view.sort = name;
    view.isTurned = isAgain && !view.isTurned;
    viewport.scrollTop = 0;
    showList();
}

function rowElement(task) {
    const isSelected = task == view.selected;
    const line = element("div", {
        id: "row-" + task.row, role: "row", "aria-rowindex": task.place + 2, "aria-selected": isSelected,
        class: `row${task.place % 2 ? " odd" : ""}${isSelected ? " selected" : ""}`,
    });
    line.style.transform = `translateY(${task.place * rowHeight}px)`;
    for (const { name, text } of columns) {
        const cell = element("div", { role: "gridcell", class: "cell " + name });
        if (text) cell.append(text(task));
        else cell.append(mark(task.stateName), ...nameElements(task));
        line.append(cell);
    }
    return line;
}

function nameElements(task) {
    const name = element("bdi", { class: "name", title: fullName(task) });
    if (task.prefix) name.append(element("span", { class: "quiet" }, task.prefix));
    name.append(task.name || "\u00A0");
    const critical = element("span", { class: "critical", title: "on the critical path" }, "◆ ");
    return task.critical ? [critical, name] : [name];
}

const firstInSight = () => Math.floor(viewport.scrollTop / rowHeight);
const countInSight = () => Math.ceil(viewport.clientHeight / rowHeight) + 1;

// The task whose row a pointer event hit. The bars lie over the right part of the rows, so that only the height counts.
function taskAt(event) {
    const y = event.clientY - viewport.getBoundingClientRect().top + viewport.scrollTop;
    return listed[Math.floor(y / rowHeight)];
}

// Makes elements for the rows in sight only: a list may have 50,000 rows.
function showRows() {
    const first = Math.max(0, firstInSight() - rowsBeyondSight);
    const inSight = listed.slice(first, firstInSight() + countInSight() + rowsBeyondSight);
    space.replaceChildren(...inSight.map(rowElement));
    if (inSight.includes(view.selected)) grid.setAttribute("aria-activedescendant", "row-" + view.selected.row);
    else grid.removeAttribute("aria-activedescendant");
}

// Applies the search, the filters and the order, and shows the result.
function showList() {
    choose();
    space.style.height = listed.length * rowHeight + "px";
    viewport.hidden = listed.length == 0;
    // The head is outside of the viewport, so that it must leave room for the viewport's scroll bar.
    byID("head").style.paddingRight = viewport.offsetWidth - viewport.clientWidth + "px";
    byID("nothing").hidden = listed.length > 0;
    grid.setAttribute("aria-rowcount", listed.length + 1);
    byID("count").textContent = listed.length == tasks.length
        ? counted(tasks.length, "task") : `${grouped(listed.length)} of ${counted(tasks.length, "task")}`;
    for (const column of columns) {
        const isSorted = column.name == view.sort;
        column.head.classList.toggle("sorted", isSorted);
        column.head.setAttribute("aria-sort", !isSorted ? "none" : isDescending(column) ? "descending" : "ascending");
    }
    showRows();
    drawTimes();
    writeAddress();
}

// Selects a task, scrolls to it, and fills the details if they are open.
function select(task) {
    view.selected = task;
    if (task.place >= 0) {
        const top = task.place * rowHeight, sight = viewport.clientHeight;
        viewport.scrollTop = limited(viewport.scrollTop, top + rowHeight - sight, top);
    }
    showRows();
    drawTimes();
    if (!panel.hidden) fillDetails(task);
}

function selectAt(event) {
    const task = taskAt(event);
    if (task) select(task);
    grid.focus({ preventScroll: true });
}

function selectPlace(place) {
    if (listed.length) select(listed[limited(place, 0, listed.length - 1)]);
}
