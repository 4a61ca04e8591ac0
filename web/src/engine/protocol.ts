// What the page and its workers say to each other.

import type { ReportView } from "./report.ts";

export interface Correction {
  from: number;
  to: number;
  text: string;
}

export interface Finding {
  severity: "error" | "warning" | "info";
  message: string;
  label: string | null;
  from: number | null;
  to: number | null;
  notes: string[];
  help: string | null;
  correction: Correction | null;
  remedies: { kind: "value" | "limit" | "notation"; name: string }[];
  probability: string | null;
  rule: string | null;
}

/** What the editor shows while somebody types. */
export interface Reading {
  dialect: string | null;
  rules: { name: string; dialect: string; from: number; to: number }[];
  names: string[];
  findings: Finding[];
}

/** How far an answer is. */
export interface Progress {
  seconds: number;
  bytes: number;
  states?: number;
  part?: string | null;
  samples?: number;
  of?: number;
}

/** An answer, without the texts that only downloads need. */
export interface Answer {
  view: ReportView;
  findings: Finding[];
  milliseconds: number;
  guessed: string | null;
}

export interface Word {
  word: string;
  does: string;
  example: string;
}

export type Format = "json" | "csv" | "csv-wide" | "markdown" | "svg" | "table" | "fractions";

export type Job =
  | { do: "start"; module: WebAssembly.Module; rest: WebAssembly.Module | null; address: string | null }
  | { do: "rest"; rest: WebAssembly.Module }
  | { do: "read"; question: string }
  | { do: "answer"; question: string }
  | { do: "write"; format: Format }
  | { do: "words"; dialect: string };

export type Message =
  | { id: number; value: unknown; bytes: number }
  | { id: number; progress: Progress }
  | { id: number; error: string; isTrap: boolean };
