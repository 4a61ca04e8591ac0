// A question as the part of an address behind `#`: a version, then deflated JSON as base64url.

import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import { checked, Malformed, type Question, shortened } from "./question.ts";

const VERSION = "1";

/** The longest link that is read, in characters. */
const MAX_LINK = 65_536;

/** The longest JSON that a link may unfold to, in bytes. */
const MAX_JSON = 400_000;

/** How much of a link is unfolded before its length is looked at again, in bytes. */
const PIECE = 512;

export function toLink(question: Question): string {
  const json = JSON.stringify(shortened(question));
  if (json === "{}") return "";
  const packed = deflateSync(strToU8(json), { level: 9 });
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return VERSION + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The question of a link. Throws `Malformed` if it is none. */
export function fromLink(link: string): Question {
  if (link.length > MAX_LINK) throw new Malformed("it is too long");
  if (!link.startsWith(VERSION)) throw new Malformed("it is not of a kind that this page knows");
  const body = link.slice(VERSION.length);
  if (!/^[A-Za-z0-9_-]+$/.test(body)) throw new Malformed("it is damaged");
  let value: unknown;
  try {
    const binary = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
    value = JSON.parse(strFromU8(unfolded(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)))));
  } catch (error) {
    throw error instanceof Malformed ? error : new Malformed("it is damaged");
  }
  return checked(value);
}

/** Unfolds bytes piece by piece, so that a small link cannot fill the memory. */
function unfolded(packed: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  const inflate = new Inflate((piece, isLast) => {
    length += piece.length;
    if (length > MAX_JSON) throw new Malformed("it holds too much");
    pieces.push(piece);
    isWhole ||= isLast;
  });
  for (let start = 0; start < packed.length; start += PIECE) {
    inflate.push(packed.subarray(start, start + PIECE), start + PIECE >= packed.length);
  }
  if (!isWhole) throw new Malformed("it is damaged");
  const whole = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}
