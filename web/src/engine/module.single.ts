// The compiled engine of the page in one file: base64 in an element of the page.

export async function compiled(): Promise<WebAssembly.Module> {
  const text = document.getElementById("engine")?.textContent?.trim();
  if (!text) throw new Error("this file has no engine");
  const binary = atob(text);
  const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** The engine of this page is whole. */
export const rest: { address: string; compiled: () => Promise<WebAssembly.Module> } | null = null;
