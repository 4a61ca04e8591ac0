// The compiler for WebAssembly: rustup's, or else Debian's. Debian's packages conflict with rustup, so they are unpacked and not installed.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const target = "wasm32-unknown-unknown";

const said = (command, words, options = {}) => execFileSync(command, words, { encoding: "utf8", ...options });

/** Whether rustup has the target, or can bring it. */
function hasTarget(root) {
  const installed = spawnSync("rustup", ["target", "list", "--installed"], { cwd: root, encoding: "utf8" });
  if (installed.status === 0 && installed.stdout.includes(target)) return true;
  return spawnSync("rustup", ["target", "add", target], { cwd: root, stdio: "inherit" }).status === 0;
}

/** The package among those that another one needs whose name begins like this. */
function needed(name, start) {
  const found = said("apt-cache", ["depends", name]).match(new RegExp(`Depends: (${start}[\\w.-]*)`));
  if (!found) throw new Error(`${name} needs no package ${start}…`);
  return found[1];
}

/** Unpacks Debian's compiler into a folder, once, and gives the path of its program. */
function unpacked(folder) {
  const program = join(folder, "rustc");
  if (existsSync(program)) return program;
  const fresh = `${folder}.part`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const library = needed("libstd-rust-web-dev", "libstd-rust-web-");
  const packages = ["rustc-web", "rust-web-src", "libstd-rust-web-dev", library, needed(library, "libllvm")];
  console.error(`> apt-get download ${packages.join(" ")}`);
  said("apt-get", ["download", ...packages], { cwd: fresh });
  for (const name of readdirSync(fresh).filter((name) => name.endsWith(".deb"))) {
    said("dpkg-deb", ["--extract", join(fresh, name), fresh]);
    rmSync(join(fresh, name));
  }
  const script = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH=$(echo "$here"/usr/lib/*-linux-gnu) exec "$here/usr/bin/rustc" "$@"
`;
  writeFileSync(join(fresh, "rustc"), script);
  chmodSync(join(fresh, "rustc"), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return program;
}

/** The linker that comes with rustup's compiler, which Debian packages apart. */
function linker() {
  const [, host] = said("rustc", ["--version", "--verbose"]).match(/^host: (.*)$/m) ?? [];
  return join(said("rustc", ["--print", "sysroot"]).trim(), "lib", "rustlib", host ?? "", "bin", "rust-lld");
}

/** How cargo builds for the target: words of its command line, and variables. Debian's compiler also builds the standard library. */
export function compiler(root, folder) {
  const given = process.env.DICEDIST_WEB_RUSTC;
  if (!given && hasTarget(root)) return { words: [], variables: {} };
  const program = given ?? unpacked(folder);
  return {
    words: ["-Z", "build-std=std,panic_abort"],
    variables: { RUSTC: program, RUSTC_BOOTSTRAP: "1", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker() },
  };
}
