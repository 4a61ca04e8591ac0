// Downloads and copies of an answer.

import { h } from "../dom.ts";
import { toLink } from "../link.ts";
import type { Asked, Question } from "../question.ts";
import { DEFAULTS } from "../question.ts";
import type { Format } from "../engine/protocol.ts";
import { short } from "./series.ts";

export interface Sources {
  write(format: Format): Promise<string>;
  question(): Question;
  say(message: string): void;
}

function save(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A PNG of a picture, twice as large for sharp screens. */
export async function png(svg: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = h("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser gives no canvas");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser makes no PNG"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A word of a command line, in quotes where a shell needs them. */
function quoted(text: string): string {
  return /^[\w.,=:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const OPTIONS: Record<Asked["kind"], string> = { "at-least": "--at-least", "at-most": "--at-most", exactly: "--exactly", chance: "--chance" };

/** The command that asks the same question. */
export function commandOf(question: Question): string {
  const words: string[] = ["dicedist"];
  const add = (...more: string[]) => words.push(...more);
  if (question.dialect) add("-d", question.dialect);
  add(quoted(question.text.trim()));
  for (const [name, values] of Object.entries(question.values)) if (values.trim() !== "") add("--set", quoted(`${name}=${values}`));
  for (const { kind, text } of question.asked) if (text.trim() !== "") add(OPTIONS[kind], quoted(text));
  const views = [question.view === "exactly" ? "" : question.view, question.layout === "normal" ? "" : question.layout].filter(Boolean);
  if (views.length > 0) add("--view", views.join(","));
  if (question.ordered) add("--ordered");
  if (question.pool) add("--pool");
  if (question.defaultSides !== null) add("--default-sides", String(question.defaultSides));
  if (question.digits !== null) add("--digits", String(question.digits));
  if (question.title !== null) add("--title", quoted(question.title));
  if (question.seconds !== DEFAULTS.seconds) add("--time-limit", String(question.seconds));
  if (question.states !== DEFAULTS.states) add("--max-states", String(question.states));
  if (question.megabytes !== DEFAULTS.megabytes) add("--max-memory", `${question.megabytes}MiB`);
  if (question.tolerance !== null) add("--tolerance", quoted(question.tolerance));
  if (question.exact) add("--exact");
  else {
    if (question.samples !== DEFAULTS.samples) add("--samples", String(question.samples));
    if (question.seed !== DEFAULTS.seed) add("--seed", String(question.seed));
  }
  return words.join(" ");
}

/** The address of a question on the whole page, or for a frame. */
export function addressOf(question: Question, isFrame = false): string {
  return `${location.href.split(/[?#]/)[0]}${isFrame ? "?embed" : ""}#${toLink(question)}`;
}

/** A frame that shows the answer in another page. */
function frameOf(question: Question): string {
  const marks: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };
  const escaped = (text: string) => text.replace(/[&"<]/g, (mark) => marks[mark] ?? mark);
  return `<iframe src="${escaped(addressOf(question, true))}" title="${escaped(question.title ?? short(question.text, 80))}" width="100%" height="600" style="border: 0" loading="lazy"></iframe>`;
}

export function newDownloads({ write, question, say }: Sources): HTMLElement {
  const copy = async (what: string, text: string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await text);
      say(`${what} is copied.`);
    } catch {
      const field = h("textarea", { readonly: true, rows: "3", "aria-label": what, class: "by-hand" }, await text);
      say("This browser does not let a page copy. Here it is, to copy by hand:");
      list.after(field);
      field.select();
      field.addEventListener("blur", () => field.remove());
    }
  };
  const picture = async () => png(await write("svg"));
  const copyPicture = async () => {
    try {
      // The clipboard waits for the picture: some browsers forget the click while it is drawn.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture() })]);
      say("The picture is copied.");
    } catch {
      save("dicedist.png", "image/png", await picture());
      say("This browser does not let a page copy pictures. It is saved as a file.");
    }
  };
  const act = (label: string, run: () => Promise<void> | void, title: string) => {
    const button = h("button", { type: "button", class: "small", title }, label);
    button.addEventListener("click", () => {
      Promise.resolve()
        .then(run)
        .catch((error: Error) => say(`That did not work: ${error.message}.`));
    });
    return h("li", {}, button);
  };
  const list = h(
    "ul",
    { class: "actions" },
    act("Copy link", () => copy("The link", addressOf(question())), "A link that holds the whole question"),
    act("Copy picture", copyPicture, "The picture as a PNG, to paste into a chat"),
    act("Copy frame", () => copy("The frame", frameOf(question())), "HTML that shows this answer in a blog or a wiki"),
    act("Copy command", () => copy("The command", commandOf(question())), "The command line that asks the same question"),
    act("Copy Markdown", () => copy("The table", write("markdown")), "The table, for a forum or a wiki"),
    act("SVG", async () => save("dicedist.svg", "image/svg+xml", await write("svg")), "The picture, for print and web"),
    act("PNG", async () => save("dicedist.png", "image/png", await picture()), "The picture, for chats"),
    act("CSV", async () => save("dicedist.csv", "text/csv", await write("csv")), "Every value, for a spreadsheet"),
    act("JSON", async () => save("dicedist.json", "application/json", await write("json")), "Everything, exactly, for programs"),
  );
  return h("section", { class: "downloads", "aria-labelledby": "downloads-title" }, h("h3", { id: "downloads-title" }, "Take it with you"), list);
}
