// The worker of the page in one file: its program is a text of the page.

import EngineWorker from "./worker.ts?worker&inline";

export function newWorker(): Worker {
  return new EngineWorker({ name: "dicedist" });
}
