//! An engine that tells which of its functions run.

use std::path::Path;

use anyhow::Result;
use walrus::ir::{Call, Const, Value};
use walrus::{FunctionKind, Module, ValType};

/// Writes the engine with a call of `more.hit` at the beginning of each function. The argument is the place of the function in the
/// module, imports first.
pub(crate) fn write(engine: &Path, out: &Path) -> Result<()> {
    let mut module = Module::from_file(engine)?;
    let functions: Vec<_> = module.funcs.iter().map(walrus::Function::id).collect();
    let hit = module.types.add(&[ValType::I32], &[]);
    let (hit, _) = module.add_import_func("more", "hit", hit);
    for (place, id) in functions.into_iter().enumerate() {
        let FunctionKind::Local(function) = &mut module.funcs.get_mut(id).kind else {
            continue;
        };
        let entry = function.entry_block();
        let place = Value::I32(i32::try_from(place)?);
        let told = [Const { value: place }.into(), Call { func: hit }.into()];
        let body = &mut function.block_mut(entry).instrs;
        body.splice(
            0..0,
            told.map(|instruction| (instruction, walrus::ir::InstrLocId::default())),
        );
    }
    module.emit_wasm_file(out)
}
