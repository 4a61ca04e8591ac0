//! Finds the source files of the package whose items another source file names, by their tokens.
//!
//! The input is the texts of the files below `src`. The result is [`Sources`], whose [`Edge`]s lead from the file that contains a
//! path to the file that defines the path's last name. A path is followed module by module, through `crate`, `self`, chains of
//! `super`, imported names, and names that a `mod.rs` re-exports. `mod x;` is no edge, and an `impl` of a trait is no edge to the
//! file of the trait. Types, and so methods, are not followed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::command::package;

/// A module, as the names that lead to it from the root.
type Module = Vec<String>;

/// The largest number of hops. Only names that import each other have more.
const MOST_HOPS: usize = 20;

/// All files that were read, with the modules in them.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The files, below `src`.
    pub(crate) files: Vec<PathBuf>,
    modules: BTreeMap<Module, Contents>,
    paths: Vec<Named>,
    /// The types with inherent methods, each with the file of an `impl` block.
    methods: Vec<(Named, usize)>,
}

/// The contents of a module.
#[derive(Debug, Default)]
struct Contents {
    file: usize,
    imports: Vec<Import>,
    types: BTreeSet<String>,
}

/// A name that a `use` brings into a module; `*` for all names.
#[derive(Clone, Debug)]
struct Import {
    name: String,
    path: Vec<String>,
}

/// A path as written in a module.
#[derive(Clone, Debug)]
struct Named {
    module: Module,
    path: Vec<String>,
    is_test: bool,
}

/// The target of a path.
#[derive(Clone, Debug)]
enum Place {
    Module(Module),
    /// An item that is defined in the module.
    Item(Module),
}

/// The use of an item in another file than its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The path as written.
    pub(crate) path: String,
    /// Whether only tests contain the path.
    pub(crate) is_test: bool,
}

impl Sources {
    /// The sources of this package.
    pub(crate) fn of_package() -> Self {
        let root = package("src");
        let mut folders = vec![root.clone()];
        let mut texts = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).unwrap();
                    texts.push((path.strip_prefix(&root).unwrap().to_owned(), text));
                }
            }
        }
        texts.sort();
        Self::new(texts)
    }

    /// Reads texts, each with its path below `src`.
    pub(crate) fn new<P: Into<PathBuf>, T: AsRef<str>>(
        texts: impl IntoIterator<Item = (P, T)>,
    ) -> Self {
        let mut sources = Self::default();
        for (path, text) in texts {
            let path = path.into();
            let tokens: TokenStream = text.as_ref().parse().unwrap();
            let module = module_of(&path);
            sources.files.push(path);
            sources.read_module(&module, tokens, false);
        }
        sources
    }

    /// The index of the file of a module among the [`Sources::files`].
    fn file(&self, module: &Module) -> usize {
        self.modules[module].file
    }

    fn read_module(&mut self, module: &Module, tokens: TokenStream, is_test: bool) {
        let contents = Contents {
            file: self.files.len() - 1,
            ..Contents::default()
        };
        self.modules.insert(module.clone(), contents);
        self.read(module, tokens, true, is_test);
    }

    /// Reads the tokens of a module, or of a group of tokens within an item.
    fn read(&mut self, module: &Module, tokens: TokenStream, are_items: bool, is_test: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        // Whether the item is compiled only for tests.
        let mut is_test_item = false;
        let mut is_start = true;
        while let Some(token) = tokens.get(at) {
            let in_test = is_test || is_test_item;
            let was_start = std::mem::replace(&mut is_start, false);
            let next = tokens.get(at + 1);
            match token {
                TokenTree::Group(group) if is_punct(at.checked_sub(1), &tokens, '#') => {
                    is_test_item |= group.stream().to_string().replace(' ', "") == "cfg(test)";
                    self.read(module, group.stream(), false, in_test);
                    is_start = true;
                }
                TokenTree::Group(group) => {
                    self.read(module, group.stream(), false, in_test);
                    if group.delimiter() == Delimiter::Brace {
                        (is_test_item, is_start) = (false, true);
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => {
                    (is_test_item, is_start) = (false, true);
                }
                TokenTree::Punct(punct) => is_start = was_start && punct.as_char() == '#',
                TokenTree::Literal(_) => {}
                TokenTree::Ident(word) => match (word.to_string().as_str(), next) {
                    ("use", Some(TokenTree::Ident(_) | TokenTree::Group(_))) => {
                        let end = position(&tokens, at, ';');
                        self.read_use(module, &tokens[at + 1..end], in_test);
                        at = end;
                        continue;
                    }
                    ("mod", Some(TokenTree::Ident(name))) => {
                        if let Some(TokenTree::Group(body)) = tokens.get(at + 2) {
                            let mut inner = module.clone();
                            inner.push(name.to_string());
                            self.read_module(&inner, body.stream(), in_test);
                            (is_test_item, is_start) = (false, true);
                        }
                        at += 2 + usize::from(is_start);
                        continue;
                    }
                    // The path in `pub(…)` is a visibility and names no item.
                    ("pub", Some(TokenTree::Group(group)))
                        if group.delimiter() == Delimiter::Parenthesis =>
                    {
                        at += 1;
                    }
                    (
                        "enum" | "struct" | "trait" | "type" | "union",
                        Some(TokenTree::Ident(name)),
                    ) if are_items => {
                        let contents = self.modules.get_mut(module);
                        contents.map(|contents| contents.types.insert(name.to_string()));
                    }
                    ("impl", _) if are_items && was_start && !in_test => {
                        self.read_impl(module, &tokens[at + 1..]);
                    }
                    _ if is_path_start(at, &tokens) => {
                        let path = path_at(&tokens, at);
                        at += 3 * (path.len() - 1);
                        self.paths.push(Named {
                            module: module.clone(),
                            path,
                            is_test: in_test,
                        });
                    }
                    _ => {}
                },
            }
            at += 1;
        }
    }

    fn read_use(&mut self, module: &Module, tokens: &[TokenTree], is_test: bool) {
        let mut imports = Vec::new();
        flatten(&[], tokens, &mut imports);
        let paths = imports.iter().map(|import| Named {
            module: module.clone(),
            path: import.path.clone(),
            is_test,
        });
        self.paths.extend(paths);
        if let Some(contents) = self.modules.get_mut(module) {
            contents.imports.extend(imports);
        }
    }

    /// Reads the type after `impl`, unless the block implements a trait.
    fn read_impl(&mut self, module: &Module, tokens: &[TokenTree]) {
        let mut at = after_generics(tokens, 0);
        let start = at;
        while is_punct(Some(at + 1), tokens, ':') && is_punct(Some(at + 2), tokens, ':') {
            at += 3;
        }
        let path = path_at(tokens, start);
        at = after_generics(tokens, at + 1);
        let is_trait = matches!(tokens.get(at), Some(TokenTree::Ident(word)) if word == "for");
        if !is_trait && !path.is_empty() {
            let file = self.file(module);
            let named = Named {
                module: module.clone(),
                path,
                is_test: false,
            };
            self.methods.push((named, file));
        }
    }

    /// All edges between different files, each once.
    pub(crate) fn edges(&self) -> BTreeSet<Edge> {
        let mut edges = BTreeSet::new();
        for named in &self.paths {
            let Some(Place::Module(to) | Place::Item(to)) = self.follow(named) else {
                continue;
            };
            let (from, to) = (self.file(&named.module), self.file(&to));
            if from != to {
                edges.insert(Edge {
                    from,
                    to,
                    path: named.path.join("::"),
                    is_test: named.is_test,
                });
            }
        }
        edges
    }

    /// The files that use another crate by name.
    pub(crate) fn users_of(&self, name: &str) -> BTreeSet<usize> {
        let paths = self.paths.iter();
        let users = paths.filter(|named| named.path[0] == name && self.follow(named).is_none());
        users.map(|named| self.file(&named.module)).collect()
    }

    /// An edge in words.
    pub(crate) fn say(&self, edge: &Edge) -> String {
        let (from, to) = (self.say_file(edge.from), self.say_file(edge.to));
        format!("{from} imports {} of {to}", edge.path)
    }

    /// The path of a file below `src`.
    pub(crate) fn say_file(&self, file: usize) -> String {
        self.files[file].display().to_string()
    }

    /// Each type with inherent methods: the file that defines the type, its name, and the files of its `impl` blocks.
    pub(crate) fn methods(&self) -> BTreeMap<(usize, String), BTreeSet<usize>> {
        let mut methods: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
        for (named, file) in &self.methods {
            let own = &self.modules[&named.module];
            let name = named.path.last().cloned().unwrap_or_default();
            let home = if named.path.len() == 1 && own.types.contains(&name) {
                Some(own.file)
            } else {
                match self.follow(named) {
                    Some(Place::Item(module)) => Some(self.file(&module)),
                    _ => None,
                }
            };
            if let Some(home) = home {
                methods.entry((home, name)).or_default().insert(*file);
            }
        }
        methods
    }

    fn follow(&self, named: &Named) -> Option<Place> {
        self.start(&named.module, &named.path, MOST_HOPS)
    }

    /// Follows a path from the module that contains it. `None` for a path that leads out of the package, or to a local name.
    fn start(&self, module: &Module, path: &[String], hops: usize) -> Option<Place> {
        let hops = hops.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        let mut child = module.clone();
        child.push(first.clone());
        match first.as_str() {
            "crate" => self.walk(Module::new(), rest, hops),
            "self" | "super" => self.walk(module.clone(), path, hops),
            _ if self.modules.contains_key(&child) => self.walk(child, rest, hops),
            _ => {
                let imports = &self.modules[module].imports;
                let import = imports.iter().find(|import| import.name == *first)?;
                match self.start(module, &import.path, hops)? {
                    Place::Module(module) => self.walk(module, rest, hops),
                    item @ Place::Item(_) => Some(item),
                }
            }
        }
    }

    /// Follows the rest of a path from a module.
    fn walk(&self, module: Module, path: &[String], hops: usize) -> Option<Place> {
        let hops = hops.checked_sub(1)?;
        let contents = self.modules.get(&module)?;
        let Some((first, rest)) = path.split_first() else {
            return Some(Place::Module(module));
        };
        let mut child = module.clone();
        match first.as_str() {
            "self" => return self.walk(module, rest, hops),
            "super" => {
                child.pop();
                return self.walk(child, rest, hops);
            }
            name => child.push(name.to_owned()),
        }
        if self.modules.contains_key(&child) {
            return self.walk(child, rest, hops);
        }
        let import = contents.imports.iter().find(|import| import.name == *first);
        let through = match import {
            Some(import) => self.start(&module, &import.path, hops),
            None => self.through_globs(&module, first, hops),
        };
        match through {
            Some(Place::Module(module)) => self.walk(module, rest, hops),
            Some(item) => Some(item),
            // A re-exported name of another crate belongs to no file.
            None if import.is_some() => None,
            None => Some(Place::Item(module)),
        }
    }

    /// The place of a name that comes from a glob import of this module.
    fn through_globs(&self, module: &Module, name: &str, hops: usize) -> Option<Place> {
        let globs = self.modules[module].imports.iter();
        let mut places = globs
            .filter(|import| import.name == "*")
            .filter_map(|import| self.start(module, &import.path, hops));
        places.find_map(|place| match place {
            Place::Module(found) if self.modules[&found].types.contains(name) => {
                Some(Place::Item(found))
            }
            _ => None,
        })
    }
}

/// The module of a file: `algebra/pool.rs` is `algebra::pool`. The binary is a crate of its own.
fn module_of(path: &Path) -> Module {
    let mut module: Module = path
        .with_extension("")
        .iter()
        .map(|name| name.to_str().unwrap().to_owned())
        .collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
        module.pop();
    }
    module
}

fn is_punct(at: Option<usize>, tokens: &[TokenTree], expected: char) -> bool {
    let token = at.and_then(|at| tokens.get(at));
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == expected)
}

/// Whether a path of several names begins at a token.
fn is_path_start(at: usize, tokens: &[TokenTree]) -> bool {
    let is_pair = |at: Option<usize>| {
        let next = at.map(|at| at + 1);
        is_punct(at, tokens, ':') && is_punct(next, tokens, ':')
    };
    is_pair(Some(at + 1)) && !is_pair(at.checked_sub(2))
}

/// The names of the path that begins at a token.
fn path_at(tokens: &[TokenTree], mut at: usize) -> Vec<String> {
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        path.push(name.to_string());
        if !is_punct(Some(at + 1), tokens, ':') || !is_punct(Some(at + 2), tokens, ':') {
            break;
        }
        at += 3;
    }
    path
}

/// The index of the first token at or after `at` that is the expected character, or the number of tokens.
fn position(tokens: &[TokenTree], at: usize, expected: char) -> usize {
    let found = (at..tokens.len()).find(|&at| is_punct(Some(at), tokens, expected));
    found.unwrap_or(tokens.len())
}

/// The index after the generics `<…>` that begin at a token; the index of the token itself if there are none.
fn after_generics(tokens: &[TokenTree], start: usize) -> usize {
    let mut depth = 0;
    for at in start..tokens.len() {
        if is_punct(Some(at), tokens, '<') {
            depth += 1;
        } else if is_punct(Some(at), tokens, '>') && !is_punct(at.checked_sub(1), tokens, '-') {
            depth -= 1;
        }
        if depth == 0 {
            return at + usize::from(at > start);
        }
    }
    tokens.len()
}

/// The imports of a `use`, each with its whole path.
fn flatten(before: &[String], tokens: &[TokenTree], imports: &mut Vec<Import>) {
    for tree in
        tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','))
    {
        let mut path = before.to_vec();
        let mut name = None;
        let mut words = tree.iter();
        while let Some(token) = words.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    name = words.next().map(ToString::to_string);
                }
                // `self` in a group is the module itself.
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => name = Some("*".into()),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    flatten(&path, &inner, imports);
                    path.clear();
                }
                _ => {}
            }
        }
        if let Some(last) = path.last() {
            let name = name.unwrap_or_else(|| last.clone());
            imports.push(Import { name, path });
        }
    }
}
