// An engine in a worker of its own, as promises.

import type { Answer, Format, Job, Message, Progress, Reading, Word } from "./protocol.ts";
import { newWorker } from "./new-worker.ts";

/** An engine that has grown beyond this is replaced before the next question, so that its memory is given back. */
const MOST_KEPT = 128 * 2 ** 20;

/** The question was given up because another came. */
export class GivenUp extends Error {}

/** The engine broke down: out of memory, or nested too deeply. */
export class BrokeDown extends Error {
  constructor(readonly why: "memory" | "depth") {
    super(why);
  }
}

/** What the engine says is wrong with a question as a whole. */
export class Refused extends Error {}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  progress: ((progress: Progress) => void) | undefined;
}

export class Client {
  #module: Promise<WebAssembly.Module>;
  #rest: WebAssembly.Module | null = null;
  #address: string | null;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #last = 0;
  #bytes = 0;

  constructor(module: Promise<WebAssembly.Module>, address: string | null) {
    this.#module = module;
    this.#address = address;
    this.#start();
  }

  /** Whether the engine works on something. */
  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** The bytes that the engine holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Gives the engine the rest of itself before a question needs it. */
  give(rest: WebAssembly.Module): void {
    this.#rest = rest;
    this.#worker?.postMessage({ id: 0, job: { do: "rest", rest } });
  }

  read(question: string): Promise<Reading> {
    return this.#ask({ do: "read", question });
  }

  words(dialect: string): Promise<Word[]> {
    return this.#ask({ do: "words", dialect });
  }

  /** Answers a question; any earlier one is given up. */
  answer(question: string, progress: (progress: Progress) => void): Promise<Answer> {
    if (this.isBusy || this.#bytes > MOST_KEPT) this.stop();
    return this.#ask({ do: "answer", question }, progress);
  }

  write(format: "fractions"): Promise<(string | null)[][]>;
  write(format: Format): Promise<string>;
  write(format: Format): Promise<unknown> {
    return this.#ask({ do: "write", format });
  }

  /** Ends the worker with everything that it does, and starts another one. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#bytes = 0;
    const given = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of given) waiting.reject(new GivenUp());
    this.#start();
  }

  #start(): void {
    const worker = newWorker();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Message>) => this.#hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#broken(new BrokeDown("memory"));
    });
    void this.#module.then(
      (module) => {
        if (this.#worker === worker) worker.postMessage({ id: 0, job: { do: "start", module, rest: this.#rest, address: this.#address } });
      },
      () => undefined,
    );
  }

  async #ask<T>(job: Job, progress?: (progress: Progress) => void): Promise<T> {
    const id = ++this.#last;
    const answered = new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject, progress });
    });
    this.#module.then(
      () => this.#worker?.postMessage({ id, job }),
      (error: Error) => {
        this.#waiting.get(id)?.reject(error);
        this.#waiting.delete(id);
      },
    );
    return answered;
  }

  #hear(message: Message): void {
    const waiting = this.#waiting.get(message.id);
    if ("progress" in message) {
      this.#bytes = message.progress.bytes;
      waiting?.progress?.(message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    if ("value" in message) {
      this.#bytes = message.bytes;
      waiting?.resolve(message.value as never);
    } else if (message.isTrap) {
      const isDeep = /stack|recursion/i.test(message.error);
      waiting?.reject(new BrokeDown(isDeep ? "depth" : "memory"));
      this.stop();
    } else {
      waiting?.reject(new Refused(message.error));
    }
  }

  #broken(error: Error): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) waiting.reject(error);
    this.stop();
  }
}
