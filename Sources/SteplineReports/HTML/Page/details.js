// The details of one task, in a panel beside the list.

const panel = byID("details");
const mostNames = 50;

function showDetails(task) {
    if (!task) return;
    panel.hidden = false;
    select(task);
    panel.focus({ preventScroll: true });
}

// Returns false if the details are hidden already.
function hideDetails() {
    if (panel.hidden) return false;
    panel.hidden = true;
    grid.focus({ preventScroll: true });
    return true;
}

function fillDetails(task) {
    const status = element("p", { class: "status " + task.stateName }, mark(task.stateName), states[task.state]);
    if (task.critical) status.append(element("span", { class: "critical" }, " ◆ critical path"));
    panel.replaceChildren(
        button("×", hideDetails, { class: "close", "aria-label": "Close" }),
        element("h3", { id: "details-name" }, ...nameElements(task)), status, figures(task));
    if (task.error) panel.append(errorElement(task.error));
    if (hasRun(task)) {
        const attempts = task.ran.map((attempt) => attemptElement(task, attempt));
        panel.append(button("Zoom to it", () => zoomToTask(task)), element("h4", {}, "Attempts"),
            element("ol", {}, ...attempts));
    }
    // The reverse relation isn't stored. Searching it takes milliseconds at 50,000 tasks.
    const after = (task.after ?? []).map((row) => tasks[row]);
    const before = tasks.filter((other) => other.after?.includes(task.row));
    for (const [title, others] of [["After", after], ["Before", before]]) {
        if (!others.length) continue;
        const items = others.slice(0, mostNames).map(taskItem);
        if (others.length > mostNames) items.push(`… and ${grouped(others.length - mostNames)} more`);
        panel.append(element("h4", {}, title), element("ul", {}, ...items));
    }
    panel.scrollTop = 0;
}

function taskItem(task) {
    const link = button(mark(task.stateName), () => showDetails(task), { class: "plain" });
    link.append(element("bdi", {}, task.name || "\u00A0"));
    return element("li", {}, link);
}

function figures(task) {
    const pairs = [];
    if (hasRun(task)) {
        const date = new Date(run.began + task.began / 1e6).toISOString().replace("T", " ").replace("Z", " UTC");
        pairs.push(["Began", `${date}, after ${timeText(task.began)}`]);
        pairs.push(["Took", timeText(task.took)], ["Waited", timeText(task.waited)]);
    }
    if (task.slack != null) pairs.push(["Slack", task.slack ? timeText(task.slack) : "none"]);
    if (task.attempt != 1) pairs.push(["Attempts", String(task.attempt)]);
    return element("dl", {}, ...pairs.map(([title, text]) =>
        element("div", {}, element("dt", {}, title), element("dd", {}, text))));
}

const errorElement = (index) => element("p", { class: "failure error" }, textAt(index));

function attemptElement(task, attempt) {
    const item = element("li", { value: attempt.number }, mark(attempt.stateName),
        `${attempt.ending} after ${timeText(attempt.time)}, began at ${timeText(attempt.begin)}`);
    if (attempt.worker) item.append(" on " + textAt(attempt.worker));
    for (const { cause, time } of attempt.waits) {
        item.append(element("p", { class: "quiet" }, `waited ${timeText(time)} for ${cause}`));
    }
    // The last attempt's error is the task's, which is shown above.
    if (attempt.error && attempt.error != task.error) item.append(errorElement(attempt.error));
    return item;
}
