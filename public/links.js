// The page of links: what decides about a URL, the sites with their files, and checking a file.
// Invariant: the address has the URL that is explained, `?url=…`.
// Left out: the decision and the findings themselves, which the server makes.

import { definitions, readIn } from "./detail.js";
import { element, localTime, shorten, visible, wireText, words } from "./elements.js";
import { fileLines } from "./file-lines.js";
import { listenToKeys } from "./keys.js";
import { compareFile, explainLink, lintFile, listSites } from "./tools-api.js";

const VALUE_LENGTH = 400;
const explainForm = document.getElementById("explain");
const lintForm = document.getElementById("lint");
const place = Object.fromEntries(["explanation", "sites", "findings", "compare"]
    .map((id) => [id, document.getElementById(id)]));

// ---- Explaining ------------------------------------------------------------------------------------

function explain() {
    const url = explainForm.url.value.trim();
    if (!url) return;
    history.replaceState(null, "", `/links.html?${new URLSearchParams({ url })}`);
    readIn(place.explanation, async () => explanation(await explainLink(url), url));
}

function explanation(answer, asked) {
    const { opens_app: opens, app, apps, reason, pointer, line, trace, file } = answer;
    const path = typeof file === "string" ? file : file?.path;
    const why = reason ?? sentenceOf(answer);
    const several = apps.length > 1 && "Opens the first of these apps that is installed: ";
    const list = apps.map(visible).join(", ");
    const nodes = [
        element("p", { class: "verdict" },
            element("span", { class: "badge", "data-verdict": opens ? "decoded" : "undecodable" },
                opens ? "✓ opens the app" : "✗ opens no app"), " ",
            opens && app ? element("span", { class: "mono wire" }, app) : why),
        several && element("p", {}, several, element("span", { class: "mono wire" }, list)),
        definitions("pairs", [
            ["Compared as", answer.url === asked ? null : element("span", { class: "mono wire" }, answer.url)],
            ["File", path && element("span", { class: "mono wire" }, path)],
            ["Decided by", pointer && element("span", { class: "mono wire" }, `${pointer} (line ${line})`)],
        ]),
        typeof file?.content === "string"
            ? fileLines(file.content, trace.map((step) => noteOf(step, pointer)), "The link file, with what each rule says")
            : element("ol", { class: "trace" }, trace.map((step) => element("li", {},
                element("span", { class: "mono wire" }, step.pointer), ` (line ${step.line}): `, textOf(step, pointer)))),
    ];
    return { nodes, spoken: opens ? `${several || "Opens the app "}${list}` : `Opens no app. ${why}` };
}

const sentenceOf = ({ decision }) => (decision === "exclude" ? "A rule excludes this URL." : `${words(decision)}.`);

const noteOf = (step, pointer) => ({
    line: step.line,
    state: step.pointer === pointer ? "deciding" : "passed",
    text: textOf(step, pointer),
});

function textOf({ fits, exclude, part, pattern, text, note, pointer }, deciding) {
    if (pointer === deciding) return exclude ? "decides: this URL is excluded" : "decides: this URL opens the app";
    // Of an entry that opens no app: the first that does is the last that is tried.
    if (fits) return "excludes this URL for its apps";
    const found = text === null || text === undefined ? "nothing" : `“${shorten(visible(text), 80)}”`;
    if (note) return `no match: ${part}: ${note}`;
    return `no match: ${part ?? "the URL"} is ${found}, the pattern is “${shorten(visible(pattern ?? ""), 80)}”`;
}

// ---- Sites -----------------------------------------------------------------------------------------

async function showSites() {
    const sites = await listSites();
    offerFiles(sites);
    if (sites.length === 0) return element("p", { class: "soft" }, "No site is served: put folders into sites.folder.");
    return element("ul", { class: "site-list" }, sites.map(siteCard));
}

const STATES = { ok: ["✓", "decoded", "no errors or warnings"], warnings: ["!", "decoded_with_warnings", "warnings"],
    errors: ["✗", "undecodable", "errors"], missing: ["!", "decoded_with_warnings", "no such file"] };

/** Apple's file has a second path. */
const fileOf = ({ path }) => (path === "/apple-app-site-association" ? `/.well-known${path}` : path);

function siteCard({ host, receivers, files, fetches }) {
    const missing = [...new Set(fetches.map(fileOf))].filter((path) => !files.some((file) => file.path === path));
    return element("li", {},
        element("h3", {}, host),
        element("ul", {}, [...files, ...missing.map((path) => ({ path, state: "missing", findings: [] }))]
            .map((file) => fileEntry(file, fetches))),
        receivers.length > 0 && element("p", { class: "soft" }, "Receives: ",
            receivers.map(({ path, vendor }) => `${path} for ${vendor}`).join(", ")));
}

function fileEntry({ path, platform, state, findings }, fetches) {
    const [sign, verdict, text] = STATES[state] ?? ["", "unmatched", state];
    const own = fetches.filter((fetched) => fileOf(fetched) === path);
    return element("li", {},
        element("p", {}, element("span", { class: "mono wire" }, path), " ",
            element("span", { class: "badge", "data-verdict": verdict }, `${sign} ${text}`)),
        findings.length > 0 && findingList(findings),
        element("p", { class: "soft" }, own.length === 0
            ? `${platform === "apple" ? "Apple" : "Google"} has not fetched it since the server started.`
            : own.map(({ by, at, status, path: fetched }) =>
                [`${words(by)} fetched ${fetched === path ? "it" : fetched} `, localTime(at), ` and got ${status}. `])));
}

const findingList = (findings) => element("ul", { class: "line-findings" }, findings.map(
    ({ severity, line, column, message, code }) => element("li", { "data-severity": severity },
        element("strong", {}, severity), ` at ${line}:${column}: `, wireText(message),
        element("span", { class: "soft mono" }, ` ${code}`))));

// ---- Checking --------------------------------------------------------------------------------------

/** Android's file is a list, and Apple's an object; what looks like a statement without its list is Android's, too. */
function kindOf(content) {
    let isStatement;
    try {
        const file = JSON.parse(content);
        isStatement = ["relation", "target", "include"].some((name) => file?.[name] !== undefined);
    } catch {
        isStatement = /^\s*\{\s*"(relation|target|include)"/.test(content);
    }
    return isStatement || content.trimStart().startsWith("[") ? "assetlinks" : "association";
}

async function lint() {
    const content = lintForm.content.value;
    const { valid, findings } = await lintFile(content, kindOf(content));
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    const verdict = valid ? "usable" : "has errors";
    const nodes = [
        element("p", { class: "verdict" },
            element("span", { class: "badge", "data-verdict": valid ? "decoded" : "undecodable" },
                `${valid ? "✓" : "✗"} ${verdict}`), ` ${count}`),
        fileLines(content, findings.map(({ line, severity, message, code }) =>
            ({ line, state: severity, text: `${message} (${code})` })), "The file, with its findings"),
    ];
    return { nodes, spoken: `${verdict}, ${count}` };
}

function offerFiles(sites) {
    const files = sites.flatMap(({ host, files: list }) => list.map(({ path }) => ({ host, path })));
    lintForm.file.replaceChildren(...files.map(({ host, path }, index) =>
        element("option", { value: String(index) }, `${host}${path}`)));
    lintForm.file.parentElement.hidden = files.length === 0;
    place.compare.hidden = files.length === 0;
    place.compare.onclick = () => readIn(place.findings, async () => {
        const file = files[Number(lintForm.file.value)];
        return changeList(await compareFile({ ...file, content: lintForm.content.value }), file);
    });
}

function changeList({ changes, count }, { host, path }) {
    if (changes.length === 0) {
        const nothing = `Nothing would change on ${host}${path}.`;
        return { nodes: element("p", {}, nothing), spoken: nothing };
    }
    const value = (item) => (item === undefined || item === null ? element("span", { class: "soft" }, "absent")
        : shorten(visible(typeof item === "string" ? item : JSON.stringify(item)), VALUE_LENGTH));
    const table = element("table", { class: "changes" },
        element("caption", {}, `What would change on ${host}${path}`,
            count > changes.length && `: the first ${changes.length} of ${count.toLocaleString()}`),
        element("thead", {}, element("tr", {}, ["Change", "Where", "Served now", "Pasted"].map((name) =>
            element("th", { scope: "col" }, name)))),
        element("tbody", {}, changes.map(({ kind, pointer, before, after }) => element("tr", {},
            element("td", {}, kind), element("td", { class: "mono wire" }, pointer || "/"),
            element("td", { class: "mono wire" }, value(before)), element("td", { class: "mono wire" }, value(after))))));
    return { nodes: table, spoken: count === 1 ? "1 change" : `${count.toLocaleString()} changes` };
}

listenToKeys({ "/": ["To the URL", () => explainForm.url.focus()] });
explainForm.addEventListener("submit", (event) => {
    event.preventDefault();
    explain();
});
lintForm.addEventListener("submit", (event) => {
    event.preventDefault();
    readIn(place.findings, lint);
});
explainForm.url.value = new URLSearchParams(location.search).get("url") ?? "";
explain();
readIn(place.sites, showSites);
