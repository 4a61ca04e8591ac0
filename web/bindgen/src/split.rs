//! Splits an engine in two modules that are one engine together.
//!
//! The first module has the memory, the data and the functions that are used. Each other function is a door there: it sees to it that
//! the second module is loaded (`more.load`, an import that does so at once), and calls the function through a table that the second
//! module fills. The second module has those functions, and imports everything else from the first one.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use walrus::{
    ConstExpr, ElementItems, ElementKind, FunctionBuilder, FunctionId, FunctionKind, GlobalKind,
    ImportedFunction, LocalId, Module, RefType, ValType,
    ir::{BinaryOp, Value},
};

/// The name under which the second module imports the first one.
const FIRST: &str = "first";

/// A function of no more instructions stays: a door is as large.
const SMALL: u64 = 8;

/// Writes `first.wasm` and `more.wasm`, given the places of the functions that are used.
pub(crate) fn write(engine: &Path, used: &BTreeSet<usize>, folder: &Path) -> Result<()> {
    let mut first = Module::from_file(engine)?;
    let mut more = Module::from_file(engine)?;
    let moved = moved(&first, used);
    let functions = functions_of(&first);
    let globals: Vec<_> = first.globals.iter().map(walrus::Global::id).collect();
    let tables: Vec<_> = first.tables.iter().map(walrus::Table::id).collect();
    let taken = leave_only(&mut more, &moved);
    let doors: Vec<_> = moved.iter().map(|&place| functions[place]).collect();
    open_doors(&mut first, &doors)?;
    for place in taken.functions {
        first.exports.add(&format!("f{place}"), functions[place]);
    }
    for place in taken.globals {
        first.exports.add(&format!("g{place}"), globals[place]);
    }
    for place in taken.tables {
        first.exports.add(&format!("t{place}"), tables[place]);
    }
    let memory = first.memories.iter().next().map(walrus::Memory::id);
    if let Some(memory) = memory {
        first.exports.add("m", memory);
    }
    walrus::passes::gc::run(&mut first);
    first.emit_wasm_file(folder.join("first.wasm"))?;
    more.emit_wasm_file(folder.join("more.wasm"))
}

/// The places of the functions that go to the second module, in order. Identifiers belong to one reading of a module, and places to
/// all.
fn moved(engine: &Module, used: &BTreeSet<usize>) -> Vec<usize> {
    let functions = engine.funcs.iter().enumerate();
    let is_moved = |(place, function): &(usize, &walrus::Function)| match &function.kind {
        FunctionKind::Local(local) => !used.contains(place) && local.size() > SMALL,
        _ => false,
    };
    let moved = functions.filter(is_moved);
    moved.map(|(place, _)| place).collect()
}

/// The identifiers of all functions by their places.
fn functions_of(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter().map(walrus::Function::id).collect()
}

/// The places of what the second module imports from the first one.
#[derive(Default)]
struct Taken {
    functions: Vec<usize>,
    globals: Vec<usize>,
    tables: Vec<usize>,
}

/// Leaves only some functions in a module, which imports all others, and puts them into the table of doors.
fn leave_only(more: &mut Module, moved: &[usize]) -> Taken {
    let functions = functions_of(more);
    let kept: BTreeSet<usize> = moved.iter().copied().collect();
    more.start = None;
    for export in more
        .exports
        .iter()
        .map(walrus::Export::id)
        .collect::<Vec<_>>()
    {
        more.exports.delete(export);
    }
    for element in more
        .elements
        .iter()
        .map(walrus::Element::id)
        .collect::<Vec<_>>()
    {
        more.elements.delete(element);
    }
    for data in more.data.iter().map(walrus::Data::id).collect::<Vec<_>>() {
        more.data.delete(data);
    }
    let mut taken = Taken::default();
    for (place, &id) in functions.iter().enumerate() {
        if kept.contains(&place) {
            continue;
        }
        let ty = more.funcs.get(id).ty();
        let name = format!("f{place}");
        let import = more.imports.add(FIRST, &name, id);
        if let Some(old) = own_import(more, id) {
            more.imports.delete(old);
        }
        more.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        taken.functions.push(place);
    }
    for (place, id) in more
        .globals
        .iter()
        .map(walrus::Global::id)
        .collect::<Vec<_>>()
        .into_iter()
        .enumerate()
    {
        let name = format!("g{place}");
        let import = more.imports.add(FIRST, &name, id);
        more.globals.get_mut(id).kind = GlobalKind::Import(import);
        taken.globals.push(place);
    }
    let memory = more.memories.iter().next().map(walrus::Memory::id);
    if let Some(id) = memory {
        let import = more.imports.add(FIRST, "m", id);
        let memory = more.memories.get_mut(id);
        memory.import = Some(import);
        memory.data_segments.clear();
    }
    for (place, id) in more
        .tables
        .iter()
        .map(walrus::Table::id)
        .collect::<Vec<_>>()
        .into_iter()
        .enumerate()
    {
        let name = format!("t{place}");
        let import = more.imports.add(FIRST, &name, id);
        let table = more.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
        taken.tables.push(place);
    }
    let count = moved.len() as u64;
    let (doors, _) =
        more.add_import_table(FIRST, "doors", false, count, Some(count), RefType::FUNCREF);
    let offset = ConstExpr::Value(Value::I32(0));
    let element = more.elements.add(
        ElementKind::Active {
            table: doors,
            offset,
        },
        ElementItems::Functions(moved.iter().map(|&place| functions[place]).collect()),
    );
    more.tables.get_mut(doors).elem_segments.insert(element);
    walrus::passes::gc::run(more);
    // What the collection has left is what the first module must export.
    let has = |kind: char, place: &usize| {
        more.imports
            .find(FIRST, &format!("{kind}{place}"))
            .is_some()
    };
    taken.functions.retain(|place| has('f', place));
    taken.globals.retain(|place| has('g', place));
    taken.tables.retain(|place| has('t', place));
    taken
}

/// The import that a function already is.
fn own_import(module: &Module, id: FunctionId) -> Option<walrus::ImportId> {
    match &module.funcs.get(id).kind {
        FunctionKind::Import(import) => Some(import.import),
        _ => None,
    }
}

/// Replaces functions by doors.
fn open_doors(first: &mut Module, moved: &[FunctionId]) -> Result<()> {
    let count = moved.len() as u64;
    let doors = first
        .tables
        .add_local(false, count, Some(count), RefType::FUNCREF);
    first.exports.add("doors", doors);
    let nothing = first.types.add(&[], &[]);
    let (load, _) = first.add_import_func("more", "load", nothing);
    let is_loaded =
        first
            .globals
            .add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
    // `ready` returns its argument, once the second module is there.
    let place = first.locals.add(ValType::I32);
    let mut ready = FunctionBuilder::new(&mut first.types, &[ValType::I32], &[ValType::I32]);
    ready
        .func_body()
        .global_get(is_loaded)
        .i32_const(0)
        .binop(BinaryOp::I32Eq)
        .if_else(
            None,
            |then| {
                then.call(load).i32_const(1).global_set(is_loaded);
            },
            |_| {},
        )
        .local_get(place);
    let ready = ready.finish(vec![place], &mut first.funcs);
    for (door, &id) in moved.iter().enumerate() {
        let ty = first.funcs.get(id).ty();
        let params = first.types.params(ty).to_vec();
        let results = first.types.results(ty).to_vec();
        let args: Vec<LocalId> = params.iter().map(|&ty| first.locals.add(ty)).collect();
        let mut builder = FunctionBuilder::new(&mut first.types, &params, &results);
        let mut body = builder.func_body();
        for &arg in &args {
            body.local_get(arg);
        }
        let door = i32::try_from(door).context("too many functions")?;
        body.i32_const(door).call(ready).call_indirect(ty, doors);
        first.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(args));
    }
    Ok(())
}
