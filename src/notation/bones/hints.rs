//! Finds out which mistake was made, from the place at which the grammar failed and the tokens around it.

use super::context::Context;
use super::error::{ParseError, ParseErrorKind};
use super::foreign::{bonus_to, function, in_a_word, is_function, is_function_alone};
use super::juxtaposed::{after_operand, foreign_function};
use super::language::{EXPECTED_WORDS, Expected, Failure};
use super::lexer::{Token, soft_keyword, words};
use super::names::Unbound;
use super::shorthand::shorthand;
use super::table::Table;
use crate::notation::reader::quote::{is_line, is_short, shortened};
use crate::notation::reader::spelling;
use crate::source::Span;

/// The errors for the failures of the grammar.
pub(super) fn explain_all(context: Context, failures: &[Failure]) -> Vec<ParseError> {
    // No rule contains a colon, and a colon can make the failures before it misleading.
    let colon = context.position(Token::Colon);
    let first = failures.iter().map(|failure| failure.at).min();
    if let Some(colon) = colon.filter(|&colon| first.is_none_or(|first| first <= colon))
        && (0..colon).all(|at| !context.begins_line(at + 1))
        && let Some(kind) = colon_without_name(context, colon)
    {
        return vec![ParseError::new(context.place(colon), kind)];
    }
    let errors = failures.iter().map(|failure| explain(context, failure));
    let mut errors: Vec<_> = errors.collect();
    // For two operands in one pair of parentheses the grammar also reports that the list is missing.
    let together =
        |error: &ParseError| matches!(error.kind, ParseErrorKind::FilterParenthesised { .. });
    if errors.iter().any(together) {
        errors.retain(|error| !matches!(error.kind, ParseErrorKind::FilterLacksList { .. }));
    }
    errors
}

/// The error for one failure of the grammar.
fn explain(context: Context, failure: &Failure) -> ParseError {
    let at = failure.at;
    if let Some(list) = failure.part {
        let text = shortened(&context.text[list.start..list.end]);
        return ParseError::new(list, ParseErrorKind::ListOperand { text });
    }
    if let Some((swapped, found, sign)) = swapped_sign(context, at) {
        let place = context.place(swapped).to(context.place(swapped + 1));
        return ParseError::new(place, ParseErrorKind::SwappedSign { found, sign });
    }
    if let Some(brace) = arms_for_operand(context, failure) {
        let kind = ParseErrorKind::ExpectedOperand {
            after: Some(context.found(brace - 1)),
            found: context.found(brace),
        };
        return ParseError::new(context.place(brace), kind);
    }
    let found = context.token(at);
    let operand_before = context.before(at).is_some_and(Token::ends_operand);
    let kind = bones_alone(context, at).or_else(|| form(context, failure));
    if let Some(kind) = kind {
        let place = match kind {
            ParseErrorKind::BonesAlone { .. } if !is_soft_name(context, at) => {
                context.place(at - 1)
            }
            _ => context.place(at),
        };
        return ParseError::new(place, kind);
    }
    let kind = if failure.expects(Expected::NumberBefore) && found.is_some_and(is_for_numbers) {
        Some(ParseErrorKind::ArithmeticAfterList {
            operator: context.found(at),
            list: context
                .group_before(at)
                .filter(|list| is_short(list))
                .map(Into::into),
        })
    } else {
        match found {
            Some(Token::Semicolon) => Some(ParseErrorKind::SeveralRules),
            Some(Token::Colon) => colon_without_name(context, at),
            Some(Token::Percent) if context.before(at) == Some(Token::D) => {
                Some(ParseErrorKind::Percent { count: None })
            }
            Some(Token::Assign) if at >= 2 && context.before(at - 1) == Some(Token::Foreach) => {
                Some(ParseErrorKind::ExpectedIn)
            }
            Some(Token::Assign)
                if !failure.expects(Expected::Assign) && !failure.expects(Expected::Name) =>
            {
                Some(ParseErrorKind::AssignForEqual)
            }
            _ => None,
        }
    };
    let kind = kind
        .or_else(|| name_as_word(context, at))
        .or_else(|| second_line(context, at).filter(|_| operand_before))
        .or_else(|| misspelled(context, failure))
        .or_else(|| foreign_function(context, failure))
        .or_else(|| shorthand(context, at).filter(|_| operand_before))
        .or_else(|| within_binder(context, failure))
        .or_else(|| filter(context, failure))
        .or_else(|| after_operand(context, failure).filter(|_| operand_before))
        .or_else(|| missing_word(context, failure))
        .unwrap_or_else(|| missing_operand(context, failure));
    let place = match &kind {
        // The grammar can fail one token after the misspelt word.
        ParseErrorKind::NearKeyword { at: near, .. } => context.place(*near),
        ParseErrorKind::Function { .. } => context.place(at - 1),
        ParseErrorKind::DiceGlued { .. } => context.place(at - 1).to(context.place(at)),
        _ => context.place(at),
    };
    ParseError::new(place, kind)
}

/// A colon that ends no name. In braces a colon is no mistake, unless `case` is written in another way.
fn colon_without_name(context: Context, at: usize) -> Option<ParseErrorKind> {
    case_in_other_words(context, at)
        .or_else(|| (!context.is_in_braces(at)).then(|| name_colon(context, at)))
}

/// `case d6 + {1: 2, else: 3}`: the brace of the arms, which stands where an operand is missing.
fn arms_for_operand(context: Context, failure: &Failure) -> Option<usize> {
    let brace = failure.at.checked_sub(1)?;
    let is_brace = |at: usize| context.word(at).starts_with('{');
    let is_missing = failure.expects(Expected::PartName)
        && context.token(brace) == Some(Token::OpenRecord)
        && context.before(brace).is_some_and(Token::is_arithmetic);
    let case = (0..brace).rfind(|&at| context.token(at) == Some(Token::Case))?;
    (is_missing && !(case..brace).any(is_brace)).then_some(brace)
}

/// `case d6 of {1: 2, else: 3}`, `switch d6 {1: 2, else: 3}`: the forms of other languages.
fn case_in_other_words(context: Context, at: usize) -> Option<ParseErrorKind> {
    let is_arms = |brace: usize| context.word(brace).starts_with('{');
    let is_case = |at: usize| match context.word(at) {
        "case" => true,
        word => matches!(word, "switch" | "match") && !context.knows(word),
    };
    let case = (0..at).find(|&at| is_case(at))?;
    let brace = (case + 2..at).find(|&brace| is_arms(brace))?;
    let has_of = brace > case + 2 && context.word(brace - 1) == "of";
    let word = context.word(case);
    let message = match word {
        "case" if has_of => "`case` has no `of`".into(),
        "case" => return None,
        word => format!("Bones has no `{word}`; it has `case`"),
    };
    let before = match case {
        0 => String::new(),
        case => format!("{} ", context.words(0, case)),
    };
    let value = context.words(case + 1, brace - usize::from(has_of));
    let arms = context.words(brace, context.lexed.tokens.len());
    let rule = format!("{before}case {value} {arms}");
    Some(ParseErrorKind::Misread {
        message,
        note: Some("as in `case d6 {..3: 1, 4..: 2}`"),
        rule: Some(rule).filter(|rule| is_line(rule) && context.reads(rule)),
    })
}

/// `a:d6`, `1: d6`: a colon that ends no name.
fn name_colon(context: Context, at: usize) -> ParseErrorKind {
    let rest = context.lexed.tokens.len() - at;
    let name = if at > 0 { context.words(0, at) } else { "" };
    let in_name = |letter: char| letter.is_alphanumeric() || " \t_'/-".contains(letter);
    let is_name = name.starts_with(char::is_alphabetic);
    let help =
        (at > 0 && rest > 1 && name.chars().all(in_name) && !name.contains("//")).then(|| {
            let rule = if is_name { "" } else { "rule " };
            (
                format!("{rule}{name}: {}", context.words(at + 1, at + rest)),
                context.words(at + 1, at + rest),
            )
        });
    let help = help.filter(|(help, rule)| is_short(help) && context.reads(rule));
    ParseErrorKind::NameColon {
        is_name: is_name || name.is_empty(),
        help: help.map(|(help, _)| help),
    }
}

/// The first comparison with swapped signs at or before a token: its token, its text, and the correct text.
fn swapped_sign(context: Context, at: usize) -> Option<(usize, &'static str, &'static str)> {
    let tokens = &context.lexed.tokens;
    let last = tokens.len().min(at + 1);
    (0..last).find_map(|at| {
        // `let x=>3 2#d6 in x` is correct: `=` and `>` are two signs.
        let binds = at >= 2
            && context.before(at) == Some(Token::Name)
            && matches!(tokens[at - 2], Token::Let | Token::While);
        let (found, sign) = match (tokens[at], context.token(at + 1)?) {
            (Token::Assign, _) if binds => return None,
            (Token::Assign, Token::Greater) => ("=>", ">="),
            (Token::Assign, Token::Less) => ("=<", "<="),
            (Token::Less, Token::Greater) => ("<>", "!="),
            _ => return None,
        };
        context.is_glued(at + 1).then_some((at, found, sign))
    })
}

/// A new line after a complete rule.
fn second_line(context: Context, at: usize) -> Option<ParseErrorKind> {
    context.token(at).filter(|_| context.begins_line(at))?;
    let line = (0..at)
        .rev()
        .find(|&token| context.begins_line(token))
        .unwrap_or(0);
    let before = context.words(line, at);
    let complete = context.reads(context.words(0, at));
    let before = if is_short(before) { before } else { "…" };
    complete.then(|| ParseErrorKind::SecondLine {
        before: before.into(),
    })
}

fn is_for_numbers(token: Token) -> bool {
    token.is_arithmetic() || matches!(token, Token::Dots | Token::Hash)
}

/// A misspelt word: a name that is nearly an expected word, or a name before the failure that is nearly a keyword.
fn misspelled(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let at = failure.at;
    let spelt = match context.word(at) {
        "elif" | "elseif" | "elsif" if failure.expects(Expected::Else) => Some("else if"),
        "for" if failure.expects(Expected::Operand) => Some("foreach"),
        _ => None,
    };
    if let Some(keyword) = spelt.filter(|_| context.token(at).is_some()) {
        let found = context.word(at).into();
        return Some(ParseErrorKind::NearKeyword { found, keyword, at });
    }
    let near = |at, keywords: &[&'static str]| {
        let found = context.word(at);
        let keyword = spelling::nearest(found, keywords.iter().copied())?;
        Some(ParseErrorKind::NearKeyword {
            found: found.into(),
            keyword,
            at,
        })
    };
    if context.token(at) == Some(Token::Name) {
        let words: Vec<_> = EXPECTED_WORDS
            .into_iter()
            .filter(|&(expected, _)| failure.expects(expected))
            .map(|(_, word)| word)
            .collect();
        // `spelling::nearest` corrects no word of two letters. Here the first letter of an expected word is enough.
        let two_letters = words.iter().find(|word| {
            let found = context.word(at);
            word.len() == 2 && found.len() == 2 && found.starts_with(&word[..1])
        });
        if let Some(&keyword) = two_letters {
            let found = context.word(at).into();
            return Some(ParseErrorKind::NearKeyword { found, keyword, at });
        }
        if let Some(kind) = near(at, &words) {
            return Some(kind);
        }
    }
    if context.before(at) == Some(Token::Name) && failure.expects(Expected::Operator) {
        let goes_on = !matches!(context.token(at), None | Some(Token::Close | Token::Assign));
        let word = context.word(at - 1);
        let is_known = is_function(word) || context.binds(word);
        let with_digits = context.token(at) == Some(Token::Integer) && context.is_glued(at);
        if goes_on && !is_known && !with_digits {
            return near(at - 1, &words(context.table).collect::<Vec<_>>());
        }
    }
    None
}

/// A mistake in `let`, `foreach` or `while` before its value.
fn within_binder(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let found = context.found(failure.at);
    if failure.expects(Expected::Name) {
        let keyword = context.token(failure.at).is_some_and(Token::is_keyword);
        let before = failure.at.checked_sub(1);
        let is_repeat = before.is_some_and(|before| context.word(before) == "repeat");
        return Some(if keyword && is_repeat {
            ParseErrorKind::Misread {
                message: "`repeat` begins with a name for what changes".into(),
                note: Some(
                    "as in `repeat n = 1 until d20 == 20 do n + 1`, the number of rolls up to a 20",
                ),
                rule: None,
            }
        } else if keyword {
            keyword_as_name(context, failure.at)
        } else {
            ParseErrorKind::ExpectedName { found }
        });
    }
    failure.expects(Expected::Assign).then(|| {
        let binder = failure.at.checked_sub(2).and_then(|at| context.token(at));
        ParseErrorKind::ExpectedAssign { found, binder }
    })
}

/// `let d = …`, and `let d2 = …`, which is a die.
fn keyword_as_name(context: Context, at: usize) -> ParseErrorKind {
    let has_digits = context.token(at + 1) == Some(Token::Integer) && context.is_glued(at + 1);
    let keyword = context.words(at, at + 1 + usize::from(has_digits)).into();
    ParseErrorKind::KeywordAsName { keyword }
}

/// A mistake about a filter and its operands.
fn filter(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let at = failure.at;
    if failure.expects(Expected::Filter) {
        if matches!(context.token(at), Some(Token::Drop | Token::Keep)) {
            return Some(ParseErrorKind::TwoModifiers);
        }
        let (modifier, found) = (context.found(at - 1), context.found(at));
        return Some(ParseErrorKind::ExpectedFilter { modifier, found });
    }
    // An operator and an operand can both follow only after the first operand of a filter.
    if failure.expects(Expected::Operand) && failure.expects(Expected::Operator) {
        let minus = at >= 3
            && context.before(at - 1) == Some(Token::Minus)
            && context.before(at - 2).is_some_and(Token::ends_operand);
        let subtracted = minus.then(|| context.words(at - 2, at).into());
        return Some(ParseErrorKind::FilterLacksList { subtracted });
    }
    None
}

/// Whether a token is a word that Bones has and dicelab has not.
fn is_soft_name(context: Context, at: usize) -> bool {
    context.token(at) == Some(Token::Name) && soft_keyword(context.word(at)).is_some()
}

/// `let max = 3 in max(2#d6)`: a word before the mistake that is a name in this rule.
fn name_as_word(context: Context, at: usize) -> Option<ParseErrorKind> {
    let used = at
        .checked_sub(1)
        .filter(|&used| is_soft_name(context, used))?;
    let word = context.word(used);
    let binds = |&at: &usize| {
        context.word(at) == word
            && matches!(
                context.token(at + 1),
                Some(Token::Assign | Token::From | Token::In)
            )
    };
    let binder = (1..context.lexed.tokens.len()).find(binds)?;
    let binder = shortened(context.words(binder - 1, binder + 2));
    Some(ParseErrorKind::Misread {
        message: format!("`{word}` is a name in this rule, since `{binder} …`"),
        note: Some("what a rule binds is a name in all of it: give it another name"),
        rule: None,
    })
}

/// Dicelab: a word of Bones at the mistake, or before it.
fn bones_alone(context: Context, at: usize) -> Option<ParseErrorKind> {
    if context.table == Table::Bones {
        return None;
    }
    let before = at.checked_sub(1);
    let mut places = [Some(at), before].into_iter().flatten();
    let place = places.find(|&at| is_soft_name(context, at) && !context.binds(context.word(at)))?;
    let what = context.word(place).into();
    Some(ParseErrorKind::BonesAlone { what })
}

/// A mistake about a form that dicelab has not.
fn form(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let at = failure.at;
    let found = || context.found(at);
    let token = context.token(at);
    let not_yet = token == Some(Token::Def);
    let before = context.before(at);
    let is_keyword = token.is_some_and(Token::is_keyword);
    let after_loop = matches!(before, Some(Token::Best | Token::Repeat | Token::Reroll));
    if failure.expects(Expected::Name) && after_loop && !is_keyword {
        let help = function(context, at - 1);
        let word = context.word(at - 1).into();
        let found = found();
        return Some(ParseErrorKind::ExpectedState { word, found, help });
    }
    if failure.expects(Expected::Arguments) {
        let word = context.word(at - 1).into();
        return Some(ParseErrorKind::ExpectedArguments { word });
    }
    if token == Some(Token::Not) && failure.expects(Expected::Operand) && before.is_some() {
        return Some(ParseErrorKind::LooseNot);
    }
    if not_yet {
        let word = context.word(at).into();
        return Some(ParseErrorKind::NotYet { word });
    }
    if failure.expects(Expected::How) {
        return Some(ParseErrorKind::ExpectedHow { found: found() });
    }
    if failure.expects(Expected::PartName) {
        return Some(ParseErrorKind::ExpectedPart { found: found() });
    }
    let is_misspelled = || misspelled(context, failure).is_some();
    if failure.expects(Expected::Brace) && !is_misspelled() && shorthand(context, at).is_none() {
        return Some(ParseErrorKind::ExpectedBrace { found: found() });
    }
    if failure.expects(Expected::Colon) && !failure.expects(Expected::CloseBrace) {
        return Some(ParseErrorKind::ExpectedColon { found: found() });
    }
    None
}

/// A missing word of `let`, `foreach`, `while` or `if`.
fn missing_word(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let (_, word) = EXPECTED_WORDS
        .into_iter()
        .find(|&(expected, _)| failure.expects(expected))?;
    let found = context.found(failure.at);
    Some(ParseErrorKind::ExpectedKeyword { word, found })
}

fn missing_operand(context: Context, failure: &Failure) -> ParseErrorKind {
    let at = failure.at;
    let before = context.before(at);
    let begins = matches!(before, None | Some(Token::Comma | Token::Open));
    let slash = |at| context.token(at) == Some(Token::Slash);
    let star = |at| context.token(at) == Some(Token::Star);
    if slash(at) && star(at + 1) || at > 0 && slash(at - 1) && star(at) {
        return ParseErrorKind::BlockComment;
    }
    let infix = context.token(at).is_some_and(|found| {
        is_for_numbers(found) || found == Token::Comma && before != Some(Token::Comma)
    });
    if begins && infix {
        let operator = context.found(at);
        return ParseErrorKind::MissingLeft { operator };
    }
    let after = before.filter(|before| !before.ends_operand());
    ParseErrorKind::ExpectedOperand {
        after: after.map(|_| context.found(at - 1)),
        found: context.found(at),
    }
}

/// The error for a name that nothing binds.
pub(super) fn unbound(context: Context, unbound: &Unbound) -> ParseError {
    let Unbound {
        ref name,
        place,
        ref within,
        ref scope,
    } = *unbound;
    let name = name.as_str();
    // A letter after `d` may be a variable that gets its values later.
    let is_variable = |rest: &str| matches!(rest.as_bytes(), [b'a'..=b'z']);
    let of_die = name
        .strip_prefix('d')
        .filter(|rest| scope.contains(rest) || is_variable(rest))
        .map(|rest| format!("d {rest}"));
    let keywords: Vec<&str> = words(context.table).collect();
    let near = of_die.or_else(|| {
        let known = scope.iter().rev().copied().chain(keywords);
        spelling::nearest(name, known).map(Into::into)
    });
    let near = near.or_else(|| (name == "dF").then(|| "d3-2".into()));
    let near = near.filter(|_| within.is_none());
    let at = context.lexed.spans.binary_search(&place).ok();
    let help = at.filter(|_| is_function_alone(name));
    let help = help.and_then(|at| function(context, at));
    let help = help.or_else(|| label(context, at?).filter(|_| near.is_none()));
    let rule = at.and_then(|at| word_replaced(context, at));
    let in_arms = || in_arms(context, at?).filter(|_| near.is_none());
    let rule = rule.or_else(in_arms);
    let rule = rule.map(String::into_boxed_str);
    let near = near.filter(|_| help.is_none() && rule.is_none());
    let name = shortened(name);
    let within = within.as_deref().map(|name| shortened(name).into());
    let kind = ParseErrorKind::UnboundName {
        name,
        near,
        help,
        rule,
        within,
    };
    ParseError::new(place, kind)
}

/// `case d20 {1: fumble, default: hit}`: the rule with `else`, and with its labels between quotes. The name is a token of it.
fn in_arms(context: Context, at: usize) -> Option<String> {
    let is_unknown =
        |at: usize| context.token(at) == Some(Token::Name) && !context.knows(context.word(at));
    let is_else = |at: usize| {
        let word = context.word(at).to_ascii_lowercase();
        matches!(
            word.as_str(),
            "default" | "otherwise" | "other" | "others" | "rest"
        ) && context.token(at + 1) == Some(Token::Colon)
    };
    let mut places = 0..context.lexed.tokens.len();
    let mut has_labels = || places.any(|at| is_unknown(at) && label(context, at).is_some());
    let is_meant = is_else(at) || is_result(context, at) && has_labels();
    if !is_meant {
        return None;
    }
    let mut rule = context.slice(context.span).to_owned();
    let start = context.span.start;
    let places = 0..context.lexed.tokens.len();
    for at in places.rev().filter(|&at| is_unknown(at)) {
        let meant = if is_else(at) {
            "else".into()
        } else if is_result(context, at) {
            format!("\"{}\"", context.word(at))
        } else {
            continue;
        };
        let place = context.place(at);
        rule.replace_range(place.start - start..place.end - start, &meant);
    }
    let rule = rule.trim();
    (is_line(rule) && context.reads(rule)).then(|| rule.to_owned())
}

/// `then miss else …`, `20: crit`: a word that is a whole result, and probably a label.
fn label(context: Context, at: usize) -> Option<String> {
    let word = context.word(at);
    let is_label = is_result(context, at) && word.len() > 2 && is_short(word);
    is_label.then(|| format!("write `\"{word}\"` for a label"))
}

/// Whether a word is a whole result of `if` or `case`.
fn is_result(context: Context, at: usize) -> bool {
    let begins = matches!(
        context.before(at),
        Some(Token::Colon | Token::Then | Token::Else)
    );
    let ends = matches!(
        context.token(at + 1),
        None | Some(Token::Separator | Token::CloseBrace | Token::Else)
    );
    begins && ends
}

/// The rule with the roll that a word means in other programs. The token `at` is the word.
fn word_replaced(context: Context, at: usize) -> Option<String> {
    let roll = in_a_word(context.word(at)).or_else(|| bonus_to(context, at))?;
    let is_alone = context.lexed.tokens.len() == 1;
    let is_loose = roll.contains(' ') && !roll.starts_with("sum(");
    let roll = if is_loose && !is_alone {
        format!("({roll})")
    } else {
        roll.into()
    };
    let place = context.place(at);
    let before = context.slice(Span::new(context.span.start, place.start));
    let after = context.slice(Span::new(place.end, context.span.end));
    let rule = format!("{before}{roll}{after}");
    let rule = rule.trim();
    (is_short(rule) && context.reads(rule)).then(|| rule.to_owned())
}
