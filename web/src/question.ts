// A question: a text of rules, and everything that is asked about it. A link holds one, and the engine takes one.

export type Kind = "at-least" | "at-most" | "exactly" | "chance";
export type View = "exactly" | "at-least" | "at-most";
export type Layout = "normal" | "transposed" | "summary";

export interface Asked {
  kind: Kind;
  text: string;
}

export interface Question {
  text: string;
  dialect: string | null;
  values: Record<string, string>;
  asked: Asked[];
  ordered: boolean;
  pool: boolean;
  defaultSides: number | null;
  exact: boolean;
  samples: number;
  seed: number;
  seconds: number;
  megabytes: number;
  states: number;
  /** The largest probability that may stay unresolved, such as `1e-6`. */
  tolerance: string | null;
  title: string | null;
  view: View;
  layout: Layout;
  digits: number | null;
}

export const DEFAULTS: Readonly<Question> = Object.freeze({
  text: "",
  dialect: null,
  values: {},
  asked: [],
  ordered: false,
  pool: false,
  defaultSides: null,
  exact: false,
  samples: 1_000_000,
  seed: 1,
  seconds: 10,
  megabytes: 512,
  states: 2_000_000,
  tolerance: null,
  title: null,
  view: "exactly",
  layout: "normal",
  digits: null,
});

export const DIALECTS = ["bones", "tabletop", "anydice", "dicelab", "dicebag", "diceroller", "onedice"] as const;

/** The longest text of rules in a link, in characters. */
export const MAX_TEXT = 100_000;

/** What the numbers of a question may be. A link that holds others is refused. */
export const BOUNDS = {
  seconds: [0.1, 600],
  megabytes: [16, 3072],
  states: [1000, 1_000_000_000],
  samples: [1, 100_000_000],
  seed: [0, Number.MAX_SAFE_INTEGER],
  defaultSides: [1, 10_000],
  digits: [0, 20],
} as const;

/** A question that is none. */
export class Malformed extends Error {}

const fail = (what: string): never => {
  throw new Malformed(what);
};

function text(value: unknown, what: string, most: number): string {
  if (typeof value !== "string") return fail(`${what} is no text`);
  if (value.length > most) return fail(`${what} is longer than ${most.toLocaleString("en")} characters`);
  return value;
}

function oneOf<T extends string>(value: unknown, all: readonly T[], what: string): T {
  return all.includes(value as T) ? (value as T) : fail(`${what} is none that this page knows`);
}

function flag(value: unknown, what: string): boolean {
  return typeof value === "boolean" ? value : fail(`${what} is neither on nor off`);
}

function number(value: unknown, what: keyof typeof BOUNDS): number {
  const [least, most] = BOUNDS[what];
  const isNumber = typeof value === "number" && Number.isFinite(value) && value >= least && value <= most;
  if (!isNumber || (what !== "seconds" && !Number.isInteger(value))) return fail(`${what} is out of range`);
  return value;
}

function values(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("the values are no list of names");
  const entries = Object.entries(value);
  if (entries.length > 50) return fail("there are too many names with values");
  const checked = entries.map(([name, given]) => {
    if (!/^\p{L}[\p{L}\p{N}_]{0,99}$/u.test(name) || name === "__proto__") fail("a name with a value is no name");
    return [name, text(given, `the value of ${name}`, 1000)] as const;
  });
  return Object.fromEntries(checked);
}

function asked(value: unknown): Asked[] {
  if (!Array.isArray(value) || value.length > 50) return fail("what is asked is no short list");
  return value.map((one: unknown) => {
    if (typeof one !== "object" || one === null) return fail("what is asked is no question");
    const { kind, text: about, ...more } = one as Record<string, unknown>;
    if (Object.keys(more).length > 0) fail("what is asked has parts that this page does not know");
    return {
      kind: oneOf(kind, ["at-least", "at-most", "exactly", "chance"], "the kind of a chance"),
      text: text(about, "what is asked", 1000),
    };
  });
}

const CHECKS: { [K in keyof Question]: (value: unknown) => Question[K] } = {
  text: (value) => text(value, "the text of the rules", MAX_TEXT),
  dialect: (value) => (value === null ? null : oneOf(value, DIALECTS, "the notation")),
  values,
  asked,
  ordered: (value) => flag(value, "the order of lists"),
  pool: (value) => flag(value, "the pool"),
  defaultSides: (value) => (value === null ? null : number(value, "defaultSides")),
  exact: (value) => flag(value, "exactness"),
  samples: (value) => number(value, "samples"),
  seed: (value) => number(value, "seed"),
  seconds: (value) => number(value, "seconds"),
  megabytes: (value) => number(value, "megabytes"),
  states: (value) => number(value, "states"),
  tolerance: (value) => (value === null ? null : text(value, "the tolerance", 50)),
  title: (value) => (value === null ? null : text(value, "the title", 500)),
  view: (value) => oneOf(value, ["exactly", "at-least", "at-most"], "the view"),
  layout: (value) => oneOf(value, ["normal", "transposed", "summary"], "the layout"),
  digits: (value) => (value === null ? null : number(value, "digits")),
};

const FIELDS = Object.keys(DEFAULTS) as (keyof Question)[];

/** The question of an object that somebody else wrote; what is missing has its default. */
export function checked(value: unknown): Question {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("it holds no question");
  const question: Record<string, unknown> = { ...structuredClone(DEFAULTS) };
  for (const [name, given] of Object.entries(value)) {
    if (!FIELDS.includes(name as keyof Question)) fail("it has parts that this page does not know");
    question[name] = CHECKS[name as keyof Question](given);
  }
  return question as unknown as Question;
}

/** Only what differs from the defaults. */
export function shortened(question: Question): Partial<Question> {
  const differs = FIELDS.filter((name) => JSON.stringify(question[name]) !== JSON.stringify(DEFAULTS[name]));
  return Object.fromEntries(differs.map((name) => [name, question[name]]));
}

/** A question with some fields of its own. */
export function questionOf(fields: Partial<Question>): Question {
  return { ...structuredClone(DEFAULTS), ...fields };
}

/** The values that free names begin with. Two ranges are a hundred settings, so further names begin with one value. */
export function begun(question: Question, { names }: { names: string[] }): Record<string, string> {
  const free = names.filter((name) => question.values[name] === undefined);
  return Object.fromEntries(free.map((name, index) => [name, index < 2 ? "1..10" : "5"]));
}

/** The same question as far as the engine's answer depends on it. */
export function substance(question: Question): string {
  const { view: _view, layout: _layout, digits: _digits, title: _title, ...rest } = question;
  return JSON.stringify(rest);
}
