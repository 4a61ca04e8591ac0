//! The judge's own reader of Bones: recursive descent, level by level as the table of `docs/bones.md` has them.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::tree::{Arm, Definition, FUNCTIONS, Form, How, Program, Tree, Word};

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i128),
    Label(Word),
    Word(Word),
    Sign(&'static str),
}

const SIGNS: [&str; 22] = [
    "==", "!=", "<=", ">=", "..", "<", ">", "=", "(", ")", "{", "}", ",", ":", "+", "-", "*", "/",
    "%", "^", "#", ".",
];

const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];
const PREFIXES: [&str; 9] = [
    "sum", "prod", "count", "sort", "rev", "perm", "distinct", "sets", "straight",
];
const TAKES: [&str; 8] = [
    "high", "low", "first", "last", "rank", "at", "without", "compare",
];

/// The words that are names where something binds them.
const NEWER: [&str; 36] = [
    "sum", "prod", "count", "sort", "rev", "perm", "sets", "straight", "at", "select", "explode",
    "high", "low", "first", "last", "mod", "def", "not", "and", "or", "given", "case", "repeat",
    "until", "for", "reroll", "best", "rank", "distinct", "without", "draw", "compare", "abs",
    "max", "min", "div",
];

/// The words that `repeat` and what is newer cannot bind.
const LATE: [&str; 9] = [
    "def", "not", "and", "or", "given", "case", "repeat", "until", "for",
];

/// The rules of a text, each with the definitions before it. `Err` says what was not expected.
pub(super) fn read(text: &str) -> Result<Vec<Program>, String> {
    let mut definitions: Vec<Definition> = Vec::new();
    let mut rules = Vec::new();
    for statement in statements(text) {
        let tokens = tokens(&statement)?;
        if tokens.is_empty() {
            continue;
        }
        let defined = definitions.iter().map(|definition| definition.name.clone());
        let mut reader = Reader::new(tokens, defined.collect());
        if reader.takes_word("def") {
            definitions.push(reader.definition()?);
        } else {
            let rule = reader.last()?;
            rules.push(Program {
                definitions: definitions.clone(),
                rule,
            });
        }
        reader.end()?;
    }
    Ok(rules)
}

/// One expression, which may end with `given`.
pub(super) fn read_one(text: &str) -> Tree {
    let rules = read(text).unwrap_or_else(|message| panic!("{text}: {message}"));
    let [program] = &rules[..] else {
        panic!("{text} is no single rule");
    };
    program.rule.clone()
}

/// The texts of definitions and rules, without comments and names of rules.
fn statements(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let (mut depth, mut is_quoted) = (0_i32, false);
    for line in text.lines() {
        let is_new = |line: &str, before: &str| {
            let starts = before.starts_with("def ") && !line.starts_with(char::is_whitespace);
            starts || line.starts_with("def ") || is_named(line)
        };
        if depth == 0 && is_new(line, all.last().expect("one at least")) {
            all.push(String::new());
        }
        let mut rest = line.chars().peekable();
        while let Some(next) = rest.next() {
            match next {
                '"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                '/' if rest.peek() == Some(&'/') => break,
                '(' | '{' => depth += 1,
                ')' | '}' => depth -= 1,
                ';' => {
                    all.push(String::new());
                    continue;
                }
                _ => {}
            }
            all.last_mut().expect("one at least").push(next);
        }
        all.last_mut().expect("one at least").push('\n');
    }
    let nameless = |text: &String| match text.split_once(": ") {
        Some((_, rule)) if is_named(text.trim_start()) => rule.to_owned(),
        _ => text.trim_start().to_owned(),
    };
    all.iter().map(nameless).collect()
}

fn is_named(text: &str) -> bool {
    let name = text
        .split_once(": ")
        .map(|(name, _)| name.trim_matches('"'));
    name.is_some_and(|name| !name.contains([';', '{', '"', '?', '=', '\n']))
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let run = |is_one: fn(&char) -> bool| rest.chars().take_while(is_one).map(char::len_utf8);
        let length = if first == '"' {
            let label = rest[1..].split('"').next().expect("the first");
            found.push(Token::Label(label.into()));
            label.len() + 2
        } else if first.is_ascii_digit() {
            let length = run(char::is_ascii_digit).sum();
            let number = rest[..length].parse();
            found.push(Token::Number(number.map_err(|_| "a long number")?));
            length
        } else if first.is_alphabetic() {
            let length: usize = run(|letter| letter.is_alphabetic()).sum();
            let whole: usize = run(|letter| letter.is_alphanumeric() || *letter == '_').sum();
            let is_name = |word: &str| {
                let binders = ["foreach", "for", "best", "select"];
                let mut bound: Vec<String> =
                    binders.map(|binder| format!("{binder} {word} ")).into();
                bound.extend([" =", ":", " of"].map(|after| format!("{word}{after}")));
                word.len() > length
                    && first != 'd'
                    && bound.iter().any(|bound| text.contains(bound))
            };
            let length = if is_name(&rest[..whole]) {
                whole
            } else {
                length
            };
            found.push(Token::Word(rest[..length].into()));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("what is {first}"))?;
            found.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest.get(length..).ok_or("an open label")?.trim_start();
    }
    Ok(found)
}

struct Reader {
    tokens: Vec<Token>,
    place: usize,
    /// Newer words that are names in this rule.
    names: BTreeSet<Word>,
    /// The names of definitions.
    defined: BTreeSet<Word>,
    /// Whether commas separate what surrounds them, and join no list.
    separates: bool,
}

type Read<T> = Result<T, String>;

impl Reader {
    fn new(tokens: Vec<Token>, mut defined: BTreeSet<Word>) -> Self {
        let pairs = tokens.windows(2).filter_map(|pair| match pair {
            [Token::Word(binder), Token::Word(name)]
                if ["let", "foreach", "while"].contains(&&**binder) =>
            {
                Some(name)
            }
            [Token::Word(name), Token::Sign("=")] if !LATE.contains(&&**name) => Some(name),
            _ => None,
        });
        let bound = pairs.filter(|name| NEWER.contains(&&***name));
        let names = bound.cloned().collect();
        if let [Token::Word(def), Token::Word(name), ..] = &tokens[..]
            && &**def == "def"
        {
            defined.insert(name.clone());
        }
        Self {
            tokens,
            place: 0,
            names,
            defined,
            separates: false,
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.place)
    }

    /// The next word, if it is none that is bound as a name.
    fn keyword(&self) -> Option<&str> {
        match self.peek() {
            Some(Token::Word(word)) if !self.names.contains(word) => Some(word),
            _ => None,
        }
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(next)) if *next == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let takes = self.is_sign(sign);
        self.place += usize::from(takes);
        takes
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let takes = self.keyword() == Some(word);
        self.place += usize::from(takes);
        takes
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        Err(format!(
            "{what} is expected at {:?}",
            self.tokens.get(self.place..)
        ))
    }

    fn sign(&mut self, sign: &str) -> Read<()> {
        if self.takes(sign) {
            Ok(())
        } else {
            self.expected(sign)
        }
    }

    fn word(&mut self, word: &str) -> Read<()> {
        if self.takes_word(word) {
            Ok(())
        } else {
            self.expected(word)
        }
    }

    fn end(&self) -> Read<()> {
        if self.peek().is_none() {
            Ok(())
        } else {
            self.expected("the end")
        }
    }

    fn name(&mut self) -> Read<Word> {
        let Some(Token::Word(name)) = self.peek().cloned() else {
            return self.expected("a name");
        };
        self.place += 1;
        Ok(name)
    }

    /// Which of these words or signs comes next.
    fn one_of(&mut self, all: &[&'static str]) -> Option<&'static str> {
        let found = all
            .iter()
            .find(|one| self.is_sign(one) || self.keyword() == Some(one));
        self.place += usize::from(found.is_some());
        found.copied()
    }

    /// Reads something where commas separate, or where they join.
    fn within<T>(&mut self, separates: bool, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let before = std::mem::replace(&mut self.separates, separates);
        let found = read(self);
        self.separates = before;
        found
    }

    /// Reads things with commas between them, and perhaps behind the last, up to a sign.
    fn until(
        &mut self,
        close: &'static str,
        mut one: impl FnMut(&mut Self) -> Read<()>,
    ) -> Read<()> {
        self.within(true, |reader| {
            while !reader.takes(close) {
                one(reader)?;
                if !reader.takes(",") {
                    return reader.sign(close);
                }
            }
            Ok(())
        })
    }

    fn definition(&mut self) -> Read<Definition> {
        let name = self.name()?;
        let mut parameters = None;
        if self.takes("(") {
            let names = parameters.insert(vec![self.name()?]);
            while self.takes(",") {
                names.push(self.name()?);
            }
            self.sign(")")?;
        }
        self.sign("=")?;
        let body = self.last()?;
        Ok(Definition {
            name,
            parameters,
            body,
        })
    }

    /// An expression, which may end with `given`.
    fn last(&mut self) -> Read<Tree> {
        let value = self.expression()?;
        if !self.takes_word("given") {
            return Ok(value);
        }
        let condition = self.expression()?;
        Ok(given(value, condition))
    }

    fn expression(&mut self) -> Read<Tree> {
        let from = if self.separates { Self::or } else { Self::join };
        let low = from(self)?;
        if !self.takes("..") {
            return Ok(low);
        }
        Ok(Tree::new(Form::Infix(".."), [low, from(self)?]))
    }

    fn join(&mut self) -> Read<Tree> {
        let first = self.or()?;
        if !self.is_sign(",") || self.next_name() {
            return Ok(first);
        }
        let mut parts = vec![first];
        while !self.next_name() && self.takes(",") {
            parts.push(self.or()?);
        }
        Ok(Tree::new(Form::Join, parts))
    }

    fn left(&mut self, signs: &[&'static str], next: fn(&mut Self) -> Read<Tree>) -> Read<Tree> {
        let mut left = next(self)?;
        while let Some(sign) = self.one_of(signs) {
            left = Tree::new(Form::Infix(sign), [left, next(self)?]);
        }
        Ok(left)
    }

    fn or(&mut self) -> Read<Tree> {
        self.left(&["or"], Self::and)
    }

    fn and(&mut self) -> Read<Tree> {
        self.left(&["and"], Self::not)
    }

    fn not(&mut self) -> Read<Tree> {
        if self.takes_word("not") {
            return Ok(Tree::new(Form::Prefix("not"), [self.not()?]));
        }
        let left = self.filter()?;
        match self.one_of(&COMPARISONS) {
            Some(sign) => Ok(Tree::new(Form::Infix(sign), [left, self.filter()?])),
            None => Ok(left),
        }
    }

    fn filter(&mut self) -> Read<Tree> {
        let before = self.place;
        let drops = self.takes_word("drop");
        if !drops {
            self.takes_word("keep");
        }
        if let Some(sign) = self.one_of(&COMPARISONS) {
            let bound = self.sums()?;
            return Ok(Tree::new(Form::Take(sign, drops), [bound, self.filter()?]));
        }
        self.place = before;
        self.sums()
    }

    fn sums(&mut self) -> Read<Tree> {
        self.left(&["+", "-", "."], Self::products)
    }

    fn products(&mut self) -> Read<Tree> {
        self.left(&["*", "/", "%", "div", "mod"], Self::negated)
    }

    fn negated(&mut self) -> Read<Tree> {
        match self.takes("-") {
            true => Ok(Tree::new(Form::Prefix("-"), [self.negated()?])),
            false => self.words(),
        }
    }

    fn words(&mut self) -> Read<Tree> {
        let is_loop = matches!(self.tokens.get(self.place + 2), Some(Token::Sign("=")));
        if let Some(word @ ("explode" | "reroll")) = self.keyword()
            && !is_loop
        {
            let word = if word == "explode" {
                "explode"
            } else {
                "reroll"
            };
            self.place += 1;
            let dice = self.words()?;
            let once = self.takes_word("once");
            if !self.takes_word("on") {
                return Ok(Tree::new(Form::Again(word, false), [dice]));
            }
            let mut list = self.primary()?;
            if self.takes("..") {
                list = Tree::new(Form::Infix(".."), [list, self.primary()?]);
            }
            let form = Form::Again(if once { "once" } else { word }, true);
            return Ok(Tree::new(form, [dice, list]));
        }
        if let Some(word) = self.one_of(&PREFIXES) {
            return Ok(Tree::new(Form::Prefix(word), [self.words()?]));
        }
        if let [Token::Word(name), Token::Word(of), ..] =
            &self.tokens[self.place.min(self.tokens.len())..]
            && &**of == "of"
        {
            let name = name.clone();
            self.place += 2;
            return Ok(Tree::new(Form::Of(name), [self.words()?]));
        }
        let before = self.place;
        let drops = self.takes_word("drop");
        if !drops {
            self.takes_word("keep");
        }
        if let Some(word) = self.one_of(&TAKES) {
            let first = self.sums()?;
            return Ok(Tree::new(Form::Take(word, drops), [first, self.words()?]));
        }
        self.place = before;
        self.copies()
    }

    fn copies(&mut self) -> Read<Tree> {
        let count = self.power()?;
        match self.takes("#") {
            true => Ok(Tree::new(
                Form::Infix("#"),
                [count, self.operand(Self::copies)?],
            )),
            false => Ok(count),
        }
    }

    fn power(&mut self) -> Read<Tree> {
        let base = self.die()?;
        match self.takes("^") {
            true => Ok(Tree::new(
                Form::Infix("^"),
                [base, self.operand(Self::power)?],
            )),
            false => Ok(base),
        }
    }

    /// An operand, which may begin with an operator that binds less tightly.
    fn operand(&mut self, own: fn(&mut Self) -> Read<Tree>) -> Read<Tree> {
        match self.peek() {
            Some(Token::Sign("-")) => self.negated(),
            Some(Token::Sign(sign)) if COMPARISONS.contains(sign) => self.filter(),
            Some(Token::Word(word)) if self.names.contains(word) => own(self),
            Some(Token::Word(word)) if PREFIXES.contains(&&**word) || TAKES.contains(&&**word) => {
                self.words()
            }
            Some(Token::Word(word)) if **word == *"explode" => self.words(),
            Some(Token::Word(word)) if **word == *"drop" || **word == *"keep" => {
                match self.tokens.get(self.place + 1) {
                    Some(Token::Word(next)) if TAKES.contains(&&**next) => self.words(),
                    Some(Token::Sign(next)) if COMPARISONS.contains(next) => self.filter(),
                    _ => self.expected("a selection"),
                }
            }
            _ => own(self),
        }
    }

    fn die(&mut self) -> Read<Tree> {
        if self.takes_word("dF") {
            let faces = Tree::new(Form::Infix(".."), [Tree::number(-1), Tree::number(1)]);
            let form = Form::Faces {
                is_drawn: false,
                weighted: vec![false],
            };
            return Ok(Tree::new(form, [faces]));
        }
        if !self.takes_word("d") {
            return self.operand(Self::primary);
        }
        if self.is_sign("{") {
            let (weighted, parts) = self.faces()?;
            return Ok(Tree::new(
                Form::Faces {
                    is_drawn: false,
                    weighted,
                },
                parts,
            ));
        }
        let sides = match self.takes("%") {
            true => Tree::number(100),
            false => self.die()?,
        };
        Ok(Tree::new(Form::Die, [sides]))
    }

    fn faces(&mut self) -> Read<(Vec<bool>, Vec<Tree>)> {
        self.sign("{")?;
        let (mut weighted, mut parts) = (Vec::new(), Vec::new());
        self.until("}", |reader| {
            parts.push(reader.expression()?);
            weighted.push(reader.takes(":"));
            if weighted.last() == Some(&true) {
                parts.push(reader.expression()?);
            }
            Ok(())
        })?;
        Ok((weighted, parts))
    }

    fn primary(&mut self) -> Read<Tree> {
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.place += 1;
                Ok(Tree::number(number))
            }
            Some(Token::Label(text)) => {
                self.place += 1;
                Ok(Tree::new(Form::Label(text), []))
            }
            Some(Token::Sign("(")) => {
                self.place += 1;
                if self.takes(")") {
                    return Ok(Tree::new(Form::Join, []));
                }
                let inner = self.within(false, Self::last)?;
                self.sign(")")?;
                Ok(inner)
            }
            Some(Token::Sign("{")) => self.record(),
            Some(Token::Word(word)) => {
                self.place += 1;
                match &*word {
                    word if self.names.contains(word) => Ok(Tree::name(&word.into())),
                    "let" => self.binding(Form::Let, "in", Self::last),
                    "foreach" => self.binding(Form::Foreach, "do", Self::expression),
                    "while" => self.binding(Form::While, "do", Self::expression),
                    "reroll" => self.binding(Form::Reroll, "until", Self::expression),
                    "if" => self.choice(Self::last),
                    "case" if self.is_sign("{") => self.cases(),
                    "case" => self.case(false),
                    "select" => {
                        let name = self.name()?;
                        self.word("in")?;
                        let list = self.expression()?;
                        self.word("where")?;
                        let condition = self.expression()?;
                        Ok(Tree::new(Form::Select(name), [list, condition]))
                    }
                    "repeat" => self.repeat(),
                    "best" => self.best(Self::expression),
                    "draw" => {
                        let n = self.sums()?;
                        if self.takes_word("from") {
                            return Ok(Tree::new(Form::Take("draw", false), [n, self.words()?]));
                        }
                        let (weighted, mut parts) = self.faces()?;
                        parts.insert(0, n);
                        Ok(Tree::new(
                            Form::Faces {
                                is_drawn: true,
                                weighted,
                            },
                            parts,
                        ))
                    }
                    name if self.is_called(name) && self.takes("(") => {
                        let mut arguments = Vec::new();
                        self.until(")", |reader| {
                            arguments.push(reader.expression()?);
                            Ok(())
                        })?;
                        Ok(Tree::new(Form::Call(word), arguments))
                    }
                    "in" | "do" | "then" | "else" | "of" | "given" | "until" => {
                        self.expected("no keyword before what")
                    }
                    _ => Ok(Tree::name(&word)),
                }
            }
            _ => self.expected("a value"),
        }
    }

    fn is_called(&self, name: &str) -> bool {
        FUNCTIONS.contains(&name) || self.defined.contains(name)
    }

    fn record(&mut self) -> Read<Tree> {
        self.sign("{")?;
        let (mut names, mut parts) = (Vec::new(), Vec::new());
        self.within(true, |reader| {
            loop {
                names.push(reader.name()?);
                reader.sign(":")?;
                parts.push(reader.expression()?);
                if !reader.takes(",") {
                    return reader.sign("}");
                }
            }
        })?;
        Ok(Tree::new(Form::Record(names.into()), parts))
    }

    fn binding(
        &mut self,
        form: fn(Word) -> Form,
        between: &str,
        body: fn(&mut Self) -> Read<Tree>,
    ) -> Read<Tree> {
        let name = self.name()?;
        let sign = if matches!(form(name.clone()), Form::Foreach(_)) {
            "in"
        } else {
            "="
        };
        match sign {
            "in" => self.word("in")?,
            _ => self.sign("=")?,
        }
        let value = self.expression()?;
        if matches!(form(name.clone()), Form::Let(_)) && self.next_name() && self.takes(",") {
            let body = self.binding(form, between, body)?;
            return Ok(Tree::new(form(name), [value, body]));
        }
        self.word(between)?;
        let body = body(self)?;
        Ok(Tree::new(form(name), [value, body]))
    }

    /// Whether a comma, a name and `=` come next.
    fn next_name(&self) -> bool {
        matches!(
            self.tokens.get(self.place..),
            Some([Token::Sign(","), Token::Word(_), Token::Sign("="), ..])
        )
    }

    /// `case` without a value.
    fn cases(&mut self) -> Read<Tree> {
        let (mut parts, mut has_else) = (Vec::new(), false);
        self.sign("{")?;
        self.until("}", |reader| {
            if reader.takes_word("else") {
                has_else = true;
            } else {
                parts.push(reader.expression()?);
            }
            reader.sign(":")?;
            parts.push(reader.last()?);
            Ok(())
        })?;
        Ok(Tree::new(Form::Cases(has_else), parts))
    }

    fn choice(&mut self, branch: impl Fn(&mut Self) -> Read<Tree>) -> Read<Tree> {
        let condition = self.within(false, Self::expression)?;
        self.word("then")?;
        let one = branch(self)?;
        self.word("else")?;
        Ok(Tree::new(Form::If, [condition, one, branch(self)?]))
    }

    fn arm(&mut self) -> Read<Arm> {
        if self.takes("..") {
            return Ok(Arm::Between(None, Some(self.sums()?)));
        }
        let low = self.sums()?;
        if !self.takes("..") {
            return Ok(Arm::Is(low));
        }
        let is_open = self.is_sign(":") || self.keyword() == Some("or");
        let high = if is_open { None } else { Some(self.sums()?) };
        Ok(Arm::Between(Some(low), high))
    }

    /// `case`, whose arms may give the values of several states.
    fn case(&mut self, has_states: bool) -> Read<Tree> {
        let mut parts = vec![self.within(false, Self::expression)?];
        let (mut arms, mut has_else) = (Vec::new(), false);
        self.sign("{")?;
        self.until("}", |reader| {
            if reader.takes_word("else") {
                has_else = true;
            } else {
                let all = vec![reader.arm()?];
                arms.push(all);
                while reader.takes_word("or") {
                    let arm = reader.arm()?;
                    arms.last_mut().expect("the first of all").push(arm);
                }
            }
            reader.sign(":")?;
            parts.push(if has_states {
                reader.sign("(")?;
                let round = reader.within(true, Self::round)?;
                reader.sign(")")?;
                round
            } else {
                reader.last()?
            });
            Ok(())
        })?;
        Ok(Tree::new(Form::Case(arms, has_else), parts))
    }

    fn best(&mut self, body: fn(&mut Self) -> Read<Tree>) -> Read<Tree> {
        let name = self.name()?;
        let is_part = self.one_of(&["in", "from"]) == Some("from");
        let list = self.expression()?;
        let by = match self.takes_word("by") {
            true => Some(self.name()?),
            false => None,
        };
        self.word("do")?;
        let body = match &by {
            Some(_) => self.expression()?,
            None => body(self)?,
        };
        Ok(Tree::new(Form::Best(name, is_part, by), [list, body]))
    }

    /// The new values of several states.
    fn round(&mut self) -> Read<Tree> {
        if self.takes_word("best") {
            return self.best(Self::round);
        }
        if self.takes_word("let") {
            return self.binding(Form::Let, "in", Self::round);
        }
        if self.takes_word("if") {
            return self.choice(Self::round);
        }
        if self.takes_word("case") {
            return self.case(true);
        }
        let mut parts = vec![self.expression()?];
        while self.takes(",") {
            parts.push(self.expression()?);
        }
        Ok(Tree::new(Form::Values, parts))
    }

    fn repeat(&mut self) -> Read<Tree> {
        let (mut names, mut parts) = (Vec::new(), Vec::new());
        self.within(true, |reader| {
            loop {
                names.push(reader.name()?);
                reader.sign("=")?;
                parts.push(reader.expression()?);
                if !reader.takes(",") {
                    return Ok(());
                }
            }
        })?;
        let how = match self.one_of(&["while", "until", "for"]) {
            Some("while") => How::While,
            Some("until") => How::Until,
            Some(_) => {
                let name = self.name()?;
                self.word("in")?;
                How::For(name)
            }
            None => return self.expected("while, until or for"),
        };
        parts.push(self.within(false, Self::expression)?);
        self.word("do")?;
        parts.push(match names.len() {
            1 => self.expression()?,
            _ => self.within(true, Self::round)?,
        });
        let has_then = self.takes_word("then");
        if has_then {
            parts.push(self.last()?);
        }
        let names = Rc::from(names);
        Ok(Tree::new(
            Form::Repeat {
                names,
                how,
                has_then,
            },
            parts,
        ))
    }
}

fn given(value: Tree, condition: Tree) -> Tree {
    Tree::new(Form::Given, [value, condition])
}
