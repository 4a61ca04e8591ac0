//! The judge's own tree of a program, and its reader: one function for each line of the grammar.

use std::rc::Rc;

pub(super) enum Expr {
    Number(i128),
    Text(String),
    Variable(String),
    /// Parts `first..last: times`.
    Sequence(Vec<[Option<Expr>; 3]>),
    /// An operator, or a function, in the name of which `_` stands for a value.
    Apply(String, Vec<Expr>),
}

pub(super) enum Statement {
    Assign(String, Expr),
    If(Expr, Block, Block),
    Loop(String, Expr, Block),
    Output(Expr, Option<String>),
    Set(String, Expr),
    Function(Rc<Function>),
    Result(Expr),
}

pub(super) type Block = Vec<Statement>;

pub(super) struct Function {
    pub(super) name: String,
    /// Each parameter with the letter of its type, `?` for none.
    pub(super) parameters: Vec<(String, char)>,
    pub(super) body: Block,
}

/// The operators from the loosest to the tightest.
const LEVELS: [&str; 7] = ["& |", "= != < > <= >=", "+ -", "* /", "^", "@", "d"];

/// The statements of a program; `None` for a text that is none.
pub(super) fn read(text: &str) -> Option<Block> {
    let mut tokens = tokens(text)?;
    tokens.push("}");
    tokens.reverse();
    let mut reader = Reader(tokens);
    let block = reader.block_to_its_end()?;
    reader.0.is_empty().then_some(block)
}

fn tokens(text: &str) -> Option<Vec<&str>> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let run = |is_of: fn(char) -> bool| rest.find(|c| !is_of(c)).unwrap_or(rest.len());
        let quoted = || Some(rest[1..].find(first)? + 2);
        let length = match first {
            '\\' | '"' => quoted()?,
            'a'..='z' => run(|c| c.is_ascii_lowercase()),
            'A'..='Z' | '_' => run(|c| c.is_ascii_uppercase() || c == '_'),
            '0'..='9' => run(|c| c.is_ascii_digit()),
            _ if ["!=", "<=", ">="].iter().any(|sign| rest.starts_with(sign)) => 2,
            _ => first.len_utf8(),
        };
        if first != '\\' {
            tokens.push(&rest[..length]);
        }
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// The tokens that are left, the next one last.
struct Reader<'t>(Vec<&'t str>);

impl<'t> Reader<'t> {
    fn next_if(&mut self, is_it: impl Fn(&str) -> bool) -> Option<&'t str> {
        self.0.pop_if(|token| is_it(token))
    }

    fn eat(&mut self, token: &str) -> bool {
        self.next_if(|next| next == token).is_some()
    }

    fn need(&mut self, token: &str) -> Option<()> {
        self.eat(token).then_some(())
    }

    fn string(&mut self) -> Option<String> {
        let token = self.next_if(|token| token.starts_with('"'))?;
        Some(token.trim_matches('"').to_owned())
    }

    fn block(&mut self) -> Option<Block> {
        self.need("{")?;
        self.block_to_its_end()
    }

    fn block_to_its_end(&mut self) -> Option<Block> {
        let mut statements = Vec::new();
        while !self.eat("}") {
            statements.push(self.statement()?);
        }
        Some(statements)
    }

    fn statement(&mut self) -> Option<Statement> {
        Some(match self.0.pop()? {
            "if" => self.conditional()?,
            "loop" => {
                let name = self.0.pop()?.to_owned();
                self.need("over")?;
                Statement::Loop(name, self.value()?, self.block()?)
            }
            "output" => {
                let value = self.value()?;
                let is_named = self.eat("named");
                Statement::Output(value, if is_named { Some(self.string()?) } else { None })
            }
            "set" => {
                let name = self.string()?;
                self.need("to")?;
                let text = self.string().map(Expr::Text);
                Statement::Set(name, text.or_else(|| self.value())?)
            }
            "result" => {
                self.need(":")?;
                Statement::Result(self.value()?)
            }
            "function" => {
                self.need(":")?;
                self.function()?
            }
            name => {
                self.need(":")?;
                Statement::Assign(name.to_owned(), self.value()?)
            }
        })
    }

    fn conditional(&mut self) -> Option<Statement> {
        let (condition, yes) = (self.value()?, self.block()?);
        let no = match self.eat("else") {
            false => Vec::new(),
            true if self.eat("if") => vec![self.conditional()?],
            true => self.block()?,
        };
        Some(Statement::If(condition, yes, no))
    }

    fn function(&mut self) -> Option<Statement> {
        let (mut words, mut parameters) = (Vec::new(), Vec::new());
        while let Some(word) = self.next_if(|token| token != "{") {
            let is_word = word.starts_with(|c: char| c.is_ascii_lowercase());
            words.push(if is_word { word } else { "_" });
            if !is_word {
                let kind = if self.eat(":") { self.0.pop()? } else { "?" };
                parameters.push((word.to_owned(), kind.chars().next()?));
            }
        }
        let (name, body) = (words.join(" "), self.block()?);
        let function = Function {
            name,
            parameters,
            body,
        };
        Some(Statement::Function(Rc::new(function)))
    }

    fn value(&mut self) -> Option<Expr> {
        self.infix(0)
    }

    fn infix(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else {
            return self.prefixed();
        };
        let mut left = self.infix(level + 1)?;
        let is_one = |token: &str| operators.split(' ').any(|operator| operator == token);
        while let Some(operator) = self.next_if(is_one) {
            left = Expr::Apply(operator.to_owned(), vec![left, self.infix(level + 1)?]);
        }
        Some(left)
    }

    fn prefixed(&mut self) -> Option<Expr> {
        let token = self.0.pop()?;
        Some(match token {
            "d" | "+" | "-" | "!" | "#" => Expr::Apply(token.to_owned(), vec![self.prefixed()?]),
            "(" => {
                let value = self.value()?;
                self.need(")")?;
                value
            }
            "[" => self.call()?,
            "{" => self.sequence()?,
            _ => match token.parse() {
                Ok(number) => Expr::Number(number),
                _ => Expr::Variable(token.to_owned()),
            },
        })
    }

    fn call(&mut self) -> Option<Expr> {
        let (mut words, mut values) = (Vec::new(), Vec::new());
        while !self.eat("]") {
            let is_word =
                |token: &str| token != "d" && token.starts_with(|c: char| c.is_ascii_lowercase());
            let word = self.next_if(is_word);
            words.push(word.unwrap_or("_"));
            if word.is_none() {
                values.push(self.value()?);
            }
        }
        Some(Expr::Apply(words.join(" "), values))
    }

    fn sequence(&mut self) -> Option<Expr> {
        let mut parts = Vec::new();
        while !self.eat("}") {
            if !parts.is_empty() {
                self.need(",")?;
            }
            let mut part = [self.value(), None, None];
            part[0].as_ref()?;
            if self.eat(".") {
                self.need(".")?;
                part[1] = Some(self.value()?);
            }
            if self.eat(":") {
                part[2] = Some(self.value()?);
            }
            parts.push(part);
        }
        Some(Expr::Sequence(parts))
    }
}
