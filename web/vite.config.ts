import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { games } from "./scripts/games.ts";

const isSingle = process.env["DICEDIST_SINGLE"] === "1";
const root = import.meta.dirname;

/** What the page may do. Style elements come from the editor and the charts. */
function policy(script: string, connect: string): string {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'none'",
    `connect-src ${connect}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const withPolicy = (html: string, content: string) =>
  html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${content}" />`);

/** The engine is asked for with the page, and not only when the program has come that needs it. */
function withEngine(html: string, files: string[]): string {
  const engine = files.find((name) => /^assets\/first-.*\.wasm$/.test(name));
  if (!engine) throw new Error("the page has no engine");
  return html.replace("</title>", `</title>\n    <link rel="preload" href="./${engine}" as="fetch" type="application/wasm" crossorigin />`);
}

/** The page of a host: its policy, and the service worker with the list of its files. */
function hosted(): Plugin {
  return {
    name: "hosted",
    apply: "build",
    transformIndexHtml: { order: "post", handler: (html, { bundle }) => withEngine(withPolicy(html, policy("'self'", "'self'")), Object.keys(bundle ?? {})) },
    writeBundle(options, bundle) {
      const folder = options.dir ?? join(root, "dist");
      const files = [...new Set([...Object.keys(bundle), ...readdirSync(join(root, "public"))])].filter((name) => !name.endsWith(".map")).sort();
      const hash = createHash("sha256");
      for (const name of files) hash.update(name).update(readFileSync(join(folder, name)));
      const program = readFileSync(join(root, "src", "service-worker.js"), "utf8");
      const filled = program.replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16))).replace('["FILES"]', JSON.stringify(["./", ...files.filter((name) => name !== "index.html")]));
      writeFileSync(join(folder, "service-worker.js"), filled);
    },
  };
}

/** The page in one file: program, style, icon and engine inside, and a policy that knows the program by its hash. */
function single(): Plugin {
  return {
    name: "single",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no page");
      let html = String(page.source);
      const scripts = Object.values(bundle).filter((file) => file.type === "chunk");
      if (scripts.length !== 1) throw new Error(`one program expected, not ${scripts.map((file) => file.fileName).join(", ")}`);
      const program = (scripts[0]?.code ?? "").replaceAll("__VITE_PRELOAD__", "[]").replaceAll("</script", "<\\/script");
      const styles = Object.values(bundle).filter((file) => file.type === "asset" && file.fileName.endsWith(".css"));
      const style = styles.map((file) => (file.type === "asset" ? String(file.source) : "")).join("\n");
      const engine = gzipSync(readFileSync(join(root, "src", "engine", "built", "engine_bg.wasm")), { level: 9 }).toString("base64");
      const icon = readFileSync(join(root, "public", "icon.svg")).toString("base64");
      html = html
        .replace(/<script type="module"[^>]*><\/script>\s*/g, "")
        .replace(/<link rel="(?:stylesheet|manifest|modulepreload)"[^>]*>\s*/g, "")
        .replace(/(<link rel="icon" href=")[^"]*/, (_, start: string) => `${start}data:image/svg+xml;base64,${icon}`);
      const hash = createHash("sha256").update(program).digest("base64");
      html = withPolicy(html, policy(`'sha256-${hash}' blob:`, "'none'"));
      html = html.replace("</head>", () => `<style>${style}</style>\n  </head>`);
      html = html.replace("</body>", () => `<script type="application/octet-stream" id="engine">${engine}</script>\n<script type="module">${program}</script>\n  </body>`);
      for (const name of Object.keys(bundle)) delete bundle[name];
      this.emitFile({ type: "asset", fileName: "dicedist.html", source: html });
    },
  };
}

const replaced = (name: string) => ({ find: new RegExp(`^\\./${name}\\.ts$`), replacement: join(root, "src", "engine", `${name}.single.ts`) });

export default defineConfig({
  base: "./",
  resolve: {
    alias: isSingle ? [{ find: "./engine/module.ts", replacement: join(root, "src", "engine", "module.single.ts") }, replaced("new-worker")] : [],
  },
  plugins: [games(), isSingle ? single() : hosted()],
  worker: { format: isSingle ? "iife" : "es" },
  publicDir: isSingle ? false : "public",
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    outDir: "dist",
    emptyOutDir: !isSingle,
    assetsInlineLimit: isSingle ? 100_000_000 : 0,
    cssCodeSplit: !isSingle,
    rolldownOptions: isSingle ? { output: { codeSplitting: false } } : {},
  },
});
