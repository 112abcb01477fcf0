// What can be done with a result: copied as curl, link or bug report, sent again, compared,
// exported, erased.
// Invariant: nothing is erased or sent without a question that says what happens.
// Left out: the questions and the report, which are read when they are asked for
// (result-dialogs.js, bug-report.js).

import { exportURL, fetchCurl, resultPageURL } from "./api.js";
import { button, copyButton, element } from "./elements.js";

const dialogs = () => import("./result-dialogs.js");

export function resultActions(record, context) {
    const place = element("div", { class: "action-place" });
    const url = () => location.origin + resultPageURL(record.id);
    return element("div", { class: "result-actions" },
        element("p", { class: "actions" },
            copyButton("Copy as curl", () => fetchCurl(record.id)),
            copyButton("Copy link", url),
            copyButton("Copy as bug report", async () => (await import("./bug-report.js")).bugReport(record, url())),
            record.kind === "callback" && button("Send again…", async () => (await dialogs()).sendDialog(record)),
            button("Compare…", async () => {
                const { comparison } = await import("./compare.js");
                place.replaceChildren(await comparison(record));
                place.querySelector("select")?.focus();
            }),
            button("Wait for one like this…", async () => (await dialogs()).waitDialog(record)),
            exportMenu(record),
            button("Erase…", async () => (await dialogs()).eraseDialog(record, context), { class: "quiet danger" })),
        place);
}

function exportMenu({ id }) {
    return element("span", { class: "exports" }, "Export: ", ["ndjson", "csv", "har"].map((format) =>
        [element("a", { href: exportURL(`id:${id}`, format), download: true }, format.toUpperCase()), " "]));
}
