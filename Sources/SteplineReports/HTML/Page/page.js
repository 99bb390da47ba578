// The page's controls: the search, the filters, the keyboard and the address.

const search = byID("search");
const chips = [];

function makeChip(label, count, toggle, isOn, name) {
    const chip = button(label, () => {
        toggle();
        viewport.scrollTop = 0;
        showChips();
        showList();
    }, { class: "chip", "data-state": name });
    chip.append(element("span", { class: "quiet" }, grouped(count)));
    chips.push(() => chip.setAttribute("aria-pressed", isOn()));
    byID("filters").append(chip);
    return chip;
}
const showChips = () => chips.forEach((show) => show());

function makeFilters() {
    states.forEach((word, state) => {
        const count = tasks.filter((task) => task.state == state).length;
        const toggle = () => { if (!view.states.delete(state)) view.states.add(state); };
        if (!count) return;
        makeChip(word, count, toggle, () => view.states.has(state), stateNames[state]).prepend(mark(stateNames[state]));
    });
    const critical = tasks.filter((task) => task.critical).length;
    const toggle = () => { view.onlyCritical = !view.onlyCritical; };
    if (critical) makeChip("◆ Critical path", critical, toggle, () => view.onlyCritical, "critical");
}

function setSearch(text) {
    search.value = view.query = text;
    viewport.scrollTop = 0;
    showList();
}

function reset() {
    view.onlyCritical = false;
    view.states.clear();
    showChips();
    setSearch("");
}

// MARK: Keyboard

const pageful = () => Math.max(1, Math.floor(viewport.clientHeight / rowHeight) - 1);
function step(by) {
    const place = view.selected?.place ?? -1;
    selectPlace(place < 0 ? (by < 0 ? listed.length - 1 : 0) : place + by);
}
const keys = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(pageful()), PageUp: () => step(-pageful()),
    Home: () => selectPlace(0), End: () => selectPlace(listed.length - 1),
    Enter: () => showDetails(view.selected ?? listed[0]),
};
const timeKeys = {
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => showWindow(0, runLength),
    ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
};
if (hasTimes) Object.assign(keys, timeKeys);

const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

function answerKeys() {
    grid.addEventListener("keydown", (event) => {
        if (hasModifier(event) || event.target != grid || !Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        keys[event.key]();
    });
    search.addEventListener("keydown", (event) => {
        if (event.key == "Escape" && search.value) {
            setSearch("");
        } else if (["Escape", "Enter", "ArrowDown"].includes(event.key)) {
            grid.focus();
            if (event.key != "Escape" && !(view.selected?.place >= 0)) selectPlace(0);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    search.addEventListener("input", () => setSearch(search.value));
    document.addEventListener("keydown", (event) => {
        if (event.key == "/" && !event.target.closest?.("input") && !hasModifier(event)) {
            event.preventDefault();
            search.focus();
            search.select();
        } else if (event.key == "Escape" && hideDetails()) {
            event.preventDefault();
        }
    });
}

// MARK: Address

function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    view.query = words.get("search") ?? "";
    for (const word of (words.get("state") ?? "").split(",")) {
        if (stateNames.includes(word)) view.states.add(stateNames.indexOf(word));
    }
    view.onlyCritical = words.has("critical");
    const [, sign, name] = (words.get("sort") ?? "").match(/^(-?)(.*)$/);
    if (columns.some((column) => column.name == name)) [view.sort, view.isTurned] = [name, sign == "-"];
}

function writeAddress() {
    const words = new URLSearchParams();
    if (view.query) words.set("search", view.query);
    if (view.states.size) words.set("state", [...view.states].map((state) => stateNames[state]).join());
    if (view.onlyCritical) words.set("critical", "1");
    if (view.isTurned || view.sort != defaultSort) words.set("sort", (view.isTurned ? "-" : "") + view.sort);
    // Browsers refuse changes that are too frequent, and changes of a page without an address.
    try { history.replaceState(null, "", "#" + words); } catch { }
}

// MARK: Begin

// Returns a function that calls the action in the next frame, once for all its calls until that frame.
function oncePerFrame(action) {
    let isDue = false;
    return () => {
        if (isDue) return;
        isDue = true;
        requestAnimationFrame(() => { isDue = false; action(); });
    };
}

readAddress();
readColors();
byID("explorer").hidden = false;
search.value = view.query;
makeHead();
makeFilters();
answerKeys();
viewport.addEventListener("scroll", oncePerFrame(() => { showRows(); drawTimes(); }));
viewport.addEventListener("click", selectAt);
viewport.addEventListener("dblclick", (event) => showDetails(taskAt(event)));
byID("reset").onclick = reset;
const redraw = oncePerFrame(() => { readColors(); showRows(); drawTimes(); });
window.addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme:dark)").addEventListener("change", redraw);
if (hasTimes) {
    byID("zoom-in").onclick = () => zoom(0.5);
    byID("zoom-out").onclick = () => zoom(2);
    byID("zoom-all").onclick = () => showWindow(0, runLength);
    answerDrags();
}
showChips();
showList();
performance.mark("stepline-shown");
