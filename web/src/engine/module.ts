// The compiled engine of the page that a host serves: the part that nearly every question needs, and the rest.

import first from "./built/first.wasm?url";
import more from "./built/more.wasm?url";

async function module(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the engine could not be loaded (${response.status})`);
  const copy = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    // Some hosts serve the module as another type.
    return WebAssembly.compile(await copy.arrayBuffer());
  }
}

export const compiled = (): Promise<WebAssembly.Module> => module(first);

/** The rest. A question that needs it before it is here loads it from this address. */
export const rest: { address: string; compiled: () => Promise<WebAssembly.Module> } | null = {
  address: new URL(more, document.baseURI).href,
  compiled: () => module(more),
};
