//! The words of the errors of reading a rule: what is wrong, and what to write instead.

use super::error::{Dice, Meaning, ParseErrorKind};
use super::lexer::Token;
use super::table::Table;
use crate::notation::reader::quote::is_unseen;

impl ParseErrorKind {
    pub(super) fn message(&self, table: Table) -> String {
        match self {
            Self::ArithmeticAfterList { operator, .. } => {
                format!("expected a number before {operator}, found a list by its syntax")
            }
            Self::AssignForEqual => "`=` only names a value, in `let` and `while`".into(),
            Self::BlockComment => format!("{table} has no comments between `/*` and `*/`"),
            Self::Chain => "`..` stands between two numbers, and only once".into(),
            Self::DiceCount { .. } => {
                format!("in {table} a number of dice is followed by `#`")
            }
            Self::DiceGlued { .. } => "this is one word, and no die".into(),
            Self::Empty => "there is no rule here".into(),
            Self::Exploding { .. } => format!("`!` does not make dice explode in {table}"),
            Self::ExpectedAssign { found, .. } => {
                format!("expected `=` after the name, found {found}")
            }
            Self::ExpectedIn => "expected `in` after the name of a `foreach`, found `=`".into(),
            Self::ExpectedKeyword {
                word: "from",
                found,
            } => format!("expected `in` or `from`, found {found}"),
            Self::ExpectedKeyword { word, found } => format!("expected `{word}`, found {found}"),
            Self::ExpectedFilter { modifier, found } => {
                format!("expected a filter after {modifier}, found {found}")
            }
            Self::ExpectedName { found } => format!("expected a name, found {found}"),
            Self::ExpectedOperand { after: None, found } => {
                format!("expected an expression, found {found}")
            }
            Self::ExpectedOperand {
                after: Some(after),
                found,
            } => {
                format!("expected an operand after {after}, found {found}")
            }
            Self::FilterLacksList { .. } => "the filter has no list to work on".into(),
            Self::FilterParenthesised { .. } => {
                "the two operands of a filter stand side by side, not in parentheses together"
                    .into()
            }
            Self::Function { name, .. } => format!("{table} has no function `{name}`"),
            Self::InfixComparison { sign, .. } => {
                format!("`{sign}` is a filter: it stands before its two operands, not between them")
            }
            Self::Juxtaposed { found, .. } => format!("expected an operator, found {found}"),
            Self::KeywordAsName { keyword } => {
                let is_die = keyword.ends_with(|last: char| last.is_ascii_digit());
                let what = if is_die {
                    "die"
                } else {
                    "word of the language"
                };
                format!("`{keyword}` is a {what}, so it cannot be a name")
            }
            Self::ListOperand { .. } => "expected a number, found a list by its syntax".into(),
            Self::MissingLeft { operator } => format!("{operator} has nothing on its left"),
            Self::NameColon { is_name: false, .. } => {
                "a colon only ends the name of a rule, and a name begins with a letter".into()
            }
            Self::NameColon { .. } => "a colon only ends the name of a rule, before a blank".into(),
            Self::NearKeyword { found, .. } => format!("unknown word `{found}`"),
            Self::Misread { message, .. } => message.clone(),
            Self::Percent { .. } => "a die has a number of sides".into(),
            Self::SwappedSign { found, .. } => format!("`{found}` is no comparison"),
            Self::SecondLine { .. } => "the rule before this line is complete".into(),
            Self::SeveralRules => "one rule is read here, and `;` begins another".into(),
            Self::Lookalike { found, .. } | Self::UnknownSign { found, .. }
                if is_unseen(*found) =>
            {
                format!("U+{:04X} is not a sign of {table}", u32::from(*found))
            }
            Self::Lookalike { found, .. } | Self::UnknownSign { found, .. } => {
                format!("`{found}` is not a sign of {table}")
            }
            Self::TwoModifiers => "a filter has one `drop` or `keep` at most".into(),
            Self::Unclosed { is_brace: false } => "this parenthesis is never closed".into(),
            Self::Unclosed { is_brace: true } => "this brace is never closed".into(),
            Self::UnclosedText { .. } => {
                "this text has no second quote, and a text is not empty".into()
            }
            Self::Unopened { is_brace: false } => "this parenthesis was never opened".into(),
            Self::Unopened { is_brace: true } => "this brace was never opened".into(),
            Self::UnboundName {
                name,
                within: Some(definition),
                ..
            } => format!("`{name}` in the definition of `{definition}` has no value"),
            Self::UnboundName { name, .. } => format!("`{name}` has no value"),
            _ => self.message_about_forms(),
        }
    }

    /// The message about a form that dicelab has not.
    fn message_about_forms(&self) -> String {
        match self {
            Self::BonesAlone { what } => format!("dicelab has no `{what}`; Bones has"),
            Self::ChainedComparison { .. } => "a comparison has two sides".into(),
            Self::EmptyDefinition => "the definition stops before what the name stands for".into(),
            Self::ExpectedArguments { word } => {
                format!("`{word}` takes its arguments in parentheses")
            }
            Self::ExpectedBrace { found } => format!("expected `{{`, found {found}"),
            Self::ExpectedColon { found } => format!("expected `:`, found {found}"),
            Self::ExpectedHow { found } => {
                format!("expected `while`, `until` or `for`, found {found}")
            }
            Self::ExpectedParameter { found } => {
                format!("expected the name of a parameter, found {found}")
            }
            Self::ExpectedPart { found } => {
                format!("expected the name of a part and a colon, found {found}")
            }
            Self::ExpectedState { word, found, .. } => {
                format!("expected a name after `{word}`, found {found}")
            }
            Self::LooseNot => "`not` is looser than the operator before it".into(),
            Self::NotYet { word } => format!("`{word}` has no meaning yet"),
            Self::SameParameter { name } => format!("two parameters are named `{name}`"),
            _ => "this cannot be read".into(),
        }
    }

    /// The help for a form that dicelab has not.
    fn help_about_forms(&self) -> Option<String> {
        Some(match self {
            Self::BonesAlone { .. } => {
                "leave `-d dicelab` out, or name the rule `name [bones]: …`".into()
            }
            Self::ChainedComparison { help } => {
                format!("write `{}`", help.as_deref().unwrap_or("1 < x and x < 3"))
            }
            Self::EmptyDefinition => "write `def ability = sum(drop low 1 4#d6)`".into(),
            Self::ExpectedArguments { word } => format!("write `{word}(…)`"),
            Self::ExpectedBrace { .. } => {
                "write `case d20 {1: -1, 2..19: 0, 20: 1}`, or `draw 5 {1..52}`".into()
            }
            Self::ExpectedColon { .. } => "write `case d6 {6: 2, 1 or 2: -1, else: 0}`".into(),
            Self::ExpectedParameter { .. } => {
                "write `def attack(bonus, ac) = d20 + bonus >= ac`".into()
            }
            Self::ExpectedPart { .. } => {
                "a record names its parts, as in `{hits: 3, ones: 1}`; a list stands in parentheses"
                    .into()
            }
            Self::ExpectedState {
                help: Some(help), ..
            } => help.clone(),
            Self::ExpectedState { word, .. } if word == "best" => {
                "write `high 1 3#d6` for the highest die, or `best y in 1..3 do sum(y#d6)` for the best choice".into()
            }
            Self::ExpectedState { word, .. } if word == "reroll" => {
                "write `reroll x = d6 until x > 2`".into()
            }
            Self::ExpectedHow { .. } | Self::ExpectedState { .. } => {
                "write `repeat x = 0 until x >= 20 do x + d6`".into()
            }
            Self::LooseNot => "put `not …` in parentheses".into(),
            Self::SameParameter { .. } => "give one of them another name".into(),
            _ => return None,
        })
    }

    pub(super) fn label(&self) -> Option<&'static str> {
        Some(match self {
            Self::ArithmeticAfterList { .. } => "a list ends before it",
            Self::AssignForEqual => "no value is named here",
            Self::DiceCount { .. } => "`#` is missing before it",
            Self::Juxtaposed { .. } => "an operator is missing before it",
            Self::FilterLacksList { .. } => "a list is missing here",
            Self::FilterParenthesised { .. } => "the second operand begins here",
            Self::ListOperand { .. } => "a list, whatever its value",
            Self::MissingLeft { .. } => "an operand is missing before it",
            Self::UnboundName { .. } => "nothing binds it here",
            _ => return None,
        })
    }

    pub(super) fn note(&self) -> Option<&'static str> {
        Some(match self {
            Self::ArithmeticAfterList { .. } | Self::ListOperand { .. } => {
                "dicelab tells numbers from lists by how they are written; \
                 in Bones any list of one member is a number"
            }
            Self::Misread { note, .. } => return *note,
            Self::FilterLacksList {
                subtracted: Some(_),
            } => "`-` after a complete operand always subtracts",
            _ => return None,
        })
    }

    pub(super) fn help(&self) -> Option<String> {
        Some(match self {
            Self::ArithmeticAfterList {
                list: Some(list), ..
            } => {
                format!("write `(sum {list})` for its sum")
            }
            Self::ArithmeticAfterList { list: None, .. } => {
                "write `(sum (…))` around the list for its sum".into()
            }
            Self::AssignForEqual => "write `==` to compare, as in `==6 2#d6`, \
                                     or `let x = … in …` to name a value"
                .into(),
            Self::BlockComment => "write `//`: a comment goes on to the end of its line".into(),
            Self::Chain => "write `(1..3),(7..9)` for members of two ranges".into(),
            Self::DiceCount { count, dice } => dice.help(count),
            Self::Empty => "write a rule such as `sum(3#d6)`".into(),
            Self::Exploding { dice, sides } => {
                format!("write `sum explode {dice}` to roll again at {sides}")
            }
            Self::ExpectedAssign {
                binder: Some(Token::While),
                ..
            } => "write `while x = d6 do ((count ==6 x)#d6)`".into(),
            Self::ExpectedAssign { .. } => "write `let x = d6 in x*x`".into(),
            Self::ExpectedIn => "write `foreach x in 3#d6 do x*x`".into(),
            Self::ExpectedKeyword { word: "else", .. } => {
                "write `else ()` where there is to be nothing".into()
            }
            Self::ExpectedKeyword { word: "then", .. } => "write `if >4 d6 then 1 else 0`".into(),
            Self::ExpectedKeyword { word: "from", .. } => {
                "write `best y in 1..3 do sum(y#d6)` for a member, or `best y from x do sum y` for a part".into()
            }
            Self::ExpectedKeyword { word: "in", found } if found.word == "," => {
                "each `let` binds one name: write `let x = d6 in let y = d8 in x + y`".into()
            }
            Self::ExpectedKeyword { word: "in", .. } => {
                "write `let x = d6 in x*x`, or `foreach x in 3#d6 do x*x`".into()
            }
            Self::ExpectedKeyword { word: "until", .. } => {
                "write `reroll x = d6 until x >= 3`: what stands after `until` ends it".into()
            }
            Self::ExpectedKeyword { .. } => {
                "write `foreach x in 3#d6 do x*x`, or `while x = d6 do ((count ==6 x)#d6)`".into()
            }
            Self::ExpectedFilter { modifier, .. } => {
                let modifier = &modifier.word;
                format!("write `{modifier} low 1 4#d6` or `{modifier} ==1 4#d6`")
            }
            Self::ExpectedName { .. } => {
                "write a letter, then letters, digits or `_`, as in `let x = d6 in x*x`".into()
            }
            Self::ExpectedOperand {
                after: Some(after),
                found,
            } => match (after.token, found.token) {
                (Some(Token::D), _) => "write `d6` for a die with six sides".into(),
                (Some(Token::Star), Some(Token::Star)) => "write `2^3` for a power".into(),
                _ => return None,
            },
            Self::FilterLacksList {
                subtracted: Some(subtracted),
            } => {
                format!("write `({subtracted})` for a negative number")
            }
            Self::FilterLacksList { subtracted: None } => {
                "write `high 2 4#d6`, or `>4 4#d6`".into()
            }
            Self::FilterParenthesised { help } => format!("write `{}`", help.as_ref()?),
            Self::DiceGlued { help }
            | Self::InfixComparison {
                help: Some(help), ..
            } => help.clone(),
            Self::InfixComparison { sign, help: None } => {
                format!("write `{sign}4 2#d6` for the members of 2#d6 that are {sign} 4")
            }
            Self::Function { help, .. } | Self::Juxtaposed { help, .. } => help.clone()?,
            Self::KeywordAsName { keyword } => {
                format!("write `{}` or another word", keyword.to_uppercase())
            }
            Self::ListOperand { text } => format!("write `(sum {text})` for its sum"),
            _ => return self.help_about_signs(),
        })
    }

    /// The help for signs, names and whole rules.
    fn help_about_signs(&self) -> Option<String> {
        Some(match self {
            Self::Lookalike {
                rule: Some(rule), ..
            } => format!("write `{rule}`"),
            Self::Lookalike { ascii: "", .. } => "leave it out".into(),
            Self::Lookalike { ascii, .. } => format!("write `{ascii}`"),
            Self::NameColon {
                help: Some(help), ..
            } => format!("write `{help}`"),
            Self::NameColon { .. } => "write `name: rule`, with the name first".into(),
            Self::NearKeyword { keyword, .. } => format!("did you mean `{keyword}`?"),
            Self::Percent { count: None } => "write `d100`".into(),
            Self::Percent { count: Some(count) } => {
                format!("write `{count}#d100`, or `sum({count}#d100)` to add them")
            }
            Self::SwappedSign { sign, .. } => format!("write `{sign}`"),
            Self::SecondLine { before } => {
                format!("write `{before};` to begin another rule in this line")
            }
            Self::SeveralRules => "leave it out, or give each rule on its own".into(),
            Self::UnknownSign { help, .. } => format!("write {}", help.as_ref()?),
            Self::TwoModifiers => "write `drop >1 (1,2)`: `keep` alone changes nothing".into(),
            Self::Unclosed { is_brace: false } => "write `)` where it ends".into(),
            Self::Unclosed { is_brace: true } => "write `}` where it ends".into(),
            Self::UnclosedText { .. } => "write `\"hit\"` for a result in words".into(),
            Self::Unopened { is_brace: false } => "leave it out, or write `(` before it".into(),
            Self::Unopened { is_brace: true } => "leave it out, or write `{` before it".into(),
            Self::UnboundName {
                near: Some(near), ..
            } => format!("did you mean `{near}`?"),
            Self::UnboundName {
                help: Some(help), ..
            } => help.clone(),
            Self::UnboundName { name, .. } => {
                format!("write `let {name} = … in …`")
            }
            _ => return self.help_about_forms(),
        })
    }
}

impl Dice {
    fn help(&self, count: &str) -> String {
        let Self {
            each,
            total,
            meaning,
        } = self;
        match meaning {
            Meaning::Die => format!("write {total} for one die"),
            Meaning::Kept => format!("write {total}"),
            Meaning::Sum => {
                let count = in_words(count);
                format!("write {each} for {count} dice, {total} to add them")
            }
            Meaning::SumAndMore => format!("write {total} to add the dice"),
        }
    }
}

/// A number as a word, up to twelve; a larger number in digits.
fn in_words(count: &str) -> &str {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let number = count.parse::<usize>().ok();
    number
        .and_then(|number| WORDS.get(number).copied())
        .unwrap_or(count)
}
