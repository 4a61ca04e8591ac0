// The worker of the page that a host serves. The page in one file has one of its own.

export function newWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "dicedist" });
}
