// A small server of files for tests, as dumb as any static host.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export const dist = join(fileURLToPath(import.meta.url), "..", "..", "dist");

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The body of a file, which is packed once: a host does not pack while a visitor waits. */
const bodies = new Map();
function bodyOf(file, isPacked) {
  const body = bodies.get(file) ?? (isPacked ? gzipSync(readFileSync(file), { level: 9 }) : readFileSync(file));
  bodies.set(file, body);
  return body;
}

/** Serves a built page. `sent` counts the bytes of bodies, which are compressed as hosts do. */
export async function serve(folder = dist) {
  const state = { sent: 0, files: new Map() };
  for (const name of readdirSync(join(folder, "assets"))) bodyOf(join(folder, "assets", name), true);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    const file = normalize(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const isPacked = !/\.png$/.test(file);
    const body = bodyOf(file, isPacked);
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ...(isPacked ? { "content-encoding": "gzip" } : {}),
    });
    state.sent += body.length;
    state.files.set(path, (state.files.get(path) ?? 0) + body.length);
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { ...state, state, address: `http://127.0.0.1:${port}/`, close: () => new Promise((resolve) => server.close(resolve)), server };
}
