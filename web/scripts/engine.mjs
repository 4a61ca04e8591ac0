// Builds the engine of the page into src/engine/built/: Rust to WebAssembly, its bindings, a smaller module, and two parts of it: what
// nearly every question needs (first.wasm), and the rest (more.wasm), which the page loads after its first answer.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { used } from "./workload.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const target = "wasm32-unknown-unknown";
const folder = join(web, "src", "engine", "built");
const cargoTarget = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const bindgen = ["run", "--quiet", "--locked", "-p", "dicedist-web-bindgen", "--"];

const run = (command, words, environment = {}) => {
  console.error(`> ${command} ${words.join(" ")}`);
  execFileSync(command, words, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } });
};

/** Whether rustup has the target, or can bring it. */
function hasTarget() {
  const installed = spawnSync("rustup", ["target", "list", "--installed"], { cwd: root, encoding: "utf8" });
  if (installed.status === 0 && installed.stdout.includes(target)) return true;
  return spawnSync("rustup", ["target", "add", target], { cwd: root, stdio: "inherit" }).status === 0;
}

/** How to build for the target: with rustup's library, or with one that is built from its source (Debian's packages, unpacked). */
function build() {
  const words = ["build", "--locked", "-p", "dicedist-web", "--lib", "--target", target, "--profile", "web"];
  const compiler = process.env.DICEDIST_WEB_RUSTC;
  if (compiler) {
    run("cargo", [...words, "-Z", "build-std=std,panic_abort"], { RUSTC: compiler, RUSTC_BOOTSTRAP: "1" });
  } else if (hasTarget()) {
    run("cargo", words);
  } else {
    console.error(`error: the page needs Rust for ${target}: \`rustup target add ${target}\`, or DICEDIST_WEB_RUSTC as web/README.md says`);
    process.exit(1);
  }
  return join(cargoTarget, target, "web", "dicedist_web.wasm");
}

const FEATURES = ["bulk-memory", "bulk-memory-opt", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

/** Makes a module smaller, in its place. */
function optimise(module) {
  const program = join(web, "node_modules", "binaryen", "bin", "wasm-opt");
  const smaller = `${module}.smaller`;
  run(process.execPath, [program, "-Oz", ...FEATURES.map((name) => `--enable-${name}`), module, "-o", smaller]);
  writeFileSync(module, readFileSync(smaller));
  rmSync(smaller);
}

const built = build();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
run("cargo", [...bindgen, "bind", built, folder]);

// The parts of an engine call `more`, which the worker gives them.
const bindings = join(folder, "engine.js");
const text = readFileSync(bindings, "utf8");
const place = '"./engine_bg.js": import0,';
if (text.split(place).length !== 2) throw new Error("the bindings have another form: look for the imports in engine.js");
writeFileSync(bindings, text.replace(place, `${place}\n        "more": globalThis.dicedistMore,`));

const whole = join(folder, "engine_bg.wasm");
optimise(whole);
const profiled = join(folder, "profiled.wasm");
run("cargo", [...bindgen, "profile", whole, profiled]);
const list = join(folder, "used.txt");
const places = await used(bindings, profiled);
writeFileSync(list, places.join("\n"));
run("cargo", [...bindgen, "split", whole, list, folder]);
rmSync(profiled);
rmSync(list);
optimise(join(folder, "first.wasm"));
optimise(join(folder, "more.wasm"));
for (const name of ["engine_bg.wasm", "first.wasm", "more.wasm"]) {
  const path = join(folder, name);
  if (!existsSync(path)) throw new Error(`there is no ${name}`);
  const bytes = readFileSync(path);
  console.error(`${name}: ${Math.round(bytes.length / 1000)} kB, compressed ${Math.round(gzipSync(bytes, { level: 9 }).length / 1000)} kB`);
}
