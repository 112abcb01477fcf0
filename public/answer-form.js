// The form for what a receiver answers in place of its usual receipt, with how often it did.
// Invariant: what is shown is what the server says, but for what was typed since; setting an answer counts from 0 again.
// Left out: the rules of its values, which the server has.

import { element } from "./elements.js";
import { fetchAnswer, removeAnswer, saveAnswer } from "./tools-api.js";

const NUMBERS = ["status", "delay_milliseconds", "fail_first", "fail_every", "fail_status", "fail_retry_after_seconds"];
const FIELDS = [...NUMBERS, "headers", "body"];

/** `attempt(act)` runs what asks the server, and shows a problem. */
export function setUpAnswers(form, state, attempt) {
    const place = () => [form.vendor.value, form.inbox.value.trim() || "default"];

    const texts = () => Object.fromEntries(FIELDS.map((name) => [name, form[name].value]));
    const filled = texts();

    /** Fields that have another text than `before` stay: somebody typed in them. */
    function fillIn({ answer }, before) {
        const headers = Object.entries(answer?.headers ?? {}).map((field) => field.join(": ")).join("\n");
        for (const name of FIELDS.filter((name) => form[name].value === before[name])) {
            form[name].value = (name === "headers" ? headers : answer?.[name]) ?? "";
            filled[name] = form[name].value;
        }
    }

    function showState({ path, answer, answered, failed, undelayed }) {
        const counts = `${answered} answered, ${failed} of them failed`;
        const skipped = undelayed > 0 ? `, ${undelayed} without their delay` : "";
        state.replaceChildren(element("span", { class: "wire mono" }, path),
            answer === null ? " answers as usual." : ` has an answer of its own: ${counts}${skipped}.`);
    }

    function written() {
        const lines = form.headers.value.split("\n").filter((line) => line.trim() !== "");
        const fields = lines.map((line) => line.split(/:(.*)/s).map((part) => part.trim()));
        return {
            ...Object.fromEntries(NUMBERS.map((name) => [name, form[name].value === "" ? null : Number(form[name].value)])),
            headers: Object.fromEntries(fields.map(([name, value]) => [name, value ?? ""])),
            body: form.body.value || null,
        };
    }

    // What was asked last is shown, whatever comes last.
    let asked = 0;
    function ask(question, before = filled) {
        asked += 1;
        const number = asked;
        return attempt(async () => {
            const found = await question();
            if (number !== asked) return;
            showState(found);
            fillIn(found, before);
        });
    }

    const read = () => ask(() => fetchAnswer(...place()));

    function refresh() {
        // It's about another receiver.
        state.replaceChildren();
        return read();
    }
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        ask(() => saveAnswer(...place(), written()), texts());
    });
    form.vendor.addEventListener("change", refresh);
    form.inbox.addEventListener("change", refresh);
    form.refresh.addEventListener("click", read);
    form.remove_answer.addEventListener("click", () => ask(() => removeAnswer(...place()), texts()));
    return refresh;
}
