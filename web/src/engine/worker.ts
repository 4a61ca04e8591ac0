// A worker with one engine. The page ends it when its question changes, which also gives its memory back.

import { bytes, Engine, initSync, words } from "./built/engine.js";
import type { Answer, Job, Message, Progress } from "./protocol.ts";
import { fractionsOf, viewOf } from "./report.ts";

let engine: Engine | null = null;
let first: WebAssembly.Exports | null = null;
let rest: WebAssembly.Module | null = null;
let address: string | null = null;

/** The rest of the engine is loaded when a question first needs it, at once: the engine waits. */
function load(): void {
  if (!first) throw new Error("the engine has not started");
  rest ??= fetched();
  void new WebAssembly.Instance(rest, { first });
}

function fetched(): WebAssembly.Module {
  if (!address) throw new Error("the rest of the engine is missing");
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error("a part of the engine could not be loaded");
  return new WebAssembly.Module(request.response as ArrayBuffer);
}

Object.assign(globalThis, { dicedistMore: { load } });

const post = (message: Message) => self.postMessage(message);

function started(): Engine {
  if (!engine) throw new Error("the engine has not started");
  return engine;
}

function done(job: Job, id: number): unknown {
  switch (job.do) {
    case "start":
      address = job.address;
      rest = job.rest;
      first = initSync({ module: job.module }) as unknown as WebAssembly.Exports;
      engine = new Engine();
      return null;
    case "rest":
      rest ??= job.rest;
      return null;
    case "read":
      return JSON.parse(started().read(job.question));
    case "answer": {
      const tell = (progress: string) => post({ id, progress: JSON.parse(progress) as Progress });
      const told = JSON.parse(started().answer(job.question, tell)) as Omit<Answer, "view">;
      return { ...told, view: viewOf(started().json(), started().curves()) } satisfies Answer;
    }
    case "write":
      switch (job.format) {
        case "json":
          return started().json();
        case "csv":
          return started().csv(false);
        case "csv-wide":
          return started().csv(true);
        case "markdown":
          return started().markdown();
        case "svg":
          return started().svg();
        case "table":
          return started().table(100);
        case "fractions":
          return fractionsOf(started().json());
      }
      break;
    case "words":
      return JSON.parse(words(job.dialect));
  }
}

self.addEventListener("message", ({ data }: MessageEvent<{ id: number; job: Job }>) => {
  const { id, job } = data;
  try {
    const value = done(job, id);
    post({ id, value, bytes: engine ? Number(bytes()) : 0 });
  } catch (error) {
    // A trap, or a stack that is too deep, leaves an engine that cannot be used again.
    const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    const message = error instanceof Error ? error.message : String(error);
    post({ id, error: message, isTrap });
  }
});
