// Builds the engine of the page into src/engine/built/: Rust to WebAssembly, its bindings, a smaller module, and two parts of it: what
// nearly every question needs (first.wasm), and the rest (more.wasm), which the page loads after its first answer.

import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { compiler, target } from "./compiler.mjs";
import { used } from "./workload.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const folder = join(web, "src", "engine", "built");
const cargoTarget = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const bindgen = ["run", "--quiet", "--locked", "-p", "dicedist-web-bindgen", "--"];

const run = (command, words, environment = {}) => {
  console.error(`> ${command} ${words.join(" ")}`);
  execFileSync(command, words, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } });
};

/** The profile of Cargo: `web` for visitors, `web-tests` where it shall be built soon. */
const profile = process.env.DICEDIST_WEB_PROFILE ?? "web";

/** Builds the crate of the page, and gives the path of its module. */
function build() {
  const { words, variables } = compiler(root, join(cargoTarget, "web-compiler"));
  run("cargo", ["build", "--locked", "-p", "dicedist-web", "--lib", "--target", target, "--profile", profile, ...words], variables);
  return join(cargoTarget, target, profile, "dicedist_web.wasm");
}

const FEATURES = ["bulk-memory", "bulk-memory-opt", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

/** Makes a module smaller, in its place. What the compiler has made small is made smaller in bytes by more passes, and larger when packed. */
async function optimise(module) {
  const program = join(web, "node_modules", "binaryen", "bin", "wasm-opt");
  const smaller = `${module}.smaller`;
  await promisify(execFile)(process.execPath, [program, "-O1", "--shrink-level=1", ...FEATURES.map((name) => `--enable-${name}`), module, "-o", smaller]);
  writeFileSync(module, readFileSync(smaller));
  rmSync(smaller);
}

const built = build();
// `engine.mjs compile` leaves the rest for later.
if (process.argv[2] === "compile") process.exit();
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
await optimise(whole);
const profiled = join(folder, "profiled.wasm");
run("cargo", [...bindgen, "profile", whole, profiled]);
const list = join(folder, "used.txt");
const places = await used(bindings, profiled);
writeFileSync(list, places.join("\n"));
run("cargo", [...bindgen, "split", whole, list, folder]);
rmSync(profiled);
rmSync(list);
await Promise.all(["first.wasm", "more.wasm"].map((name) => optimise(join(folder, name))));
for (const name of ["engine_bg.wasm", "first.wasm", "more.wasm"]) {
  const path = join(folder, name);
  if (!existsSync(path)) throw new Error(`there is no ${name}`);
  const bytes = readFileSync(path);
  console.error(`${name}: ${Math.round(bytes.length / 1000)} kB, compressed ${Math.round(gzipSync(bytes, { level: 9 }).length / 1000)} kB`);
}
