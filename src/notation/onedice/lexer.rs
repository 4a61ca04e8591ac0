//! Characters to tokens, in either width. Every text has tokens; what is no part of the language is [`Token::Unknown`].

use chumsky::prelude::*;

use super::operator::Operator;
use crate::notation::lexical;
use crate::source::{Source, Span};

/// The kind of a token; what it says is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Assign,
    Close,
    CloseTuple,
    Colon,
    Comma,
    /// `i`, the value of a round.
    Index,
    Infix(Operator),
    Integer,
    K,
    M,
    /// `{NAME}`
    Name,
    Open,
    OpenTuple,
    Q,
    Tp,
    Unknown,
}

/// The words and signs, each before those that it begins with.
const WORDS: [(&str, Token); 43] = [
    ("$t", Token::Infix(Operator::Variable)),
    ("max", Token::Infix(Operator::AtMost)),
    ("min", Token::Infix(Operator::AtLeast)),
    ("df", Token::Infix(Operator::Fate)),
    ("dh", Token::Infix(Operator::DropHigh)),
    ("dl", Token::Infix(Operator::DropLow)),
    ("kh", Token::Infix(Operator::KeepHigh)),
    ("kl", Token::Infix(Operator::KeepLow)),
    ("lp", Token::Infix(Operator::Loop)),
    ("sp", Token::Infix(Operator::Slice)),
    ("tp", Token::Tp),
    ("a", Token::Infix(Operator::Pool)),
    ("b", Token::Infix(Operator::Bonus)),
    ("c", Token::Infix(Operator::Cross)),
    ("d", Token::Infix(Operator::Roll)),
    ("f", Token::Infix(Operator::Fate)),
    ("i", Token::Index),
    ("k", Token::K),
    ("m", Token::M),
    ("p", Token::Infix(Operator::Penalty)),
    ("q", Token::Q),
    ("x", Token::Infix(Operator::Multiply)),
    ("&", Token::Infix(Operator::And)),
    ("(", Token::Open),
    (")", Token::Close),
    ("*", Token::Infix(Operator::Multiply)),
    ("×", Token::Infix(Operator::Multiply)),
    ("+", Token::Infix(Operator::Add)),
    (",", Token::Comma),
    ("、", Token::Comma),
    ("-", Token::Infix(Operator::Subtract)),
    ("−", Token::Infix(Operator::Subtract)),
    ("/", Token::Infix(Operator::Divide)),
    ("÷", Token::Infix(Operator::Divide)),
    (":", Token::Colon),
    ("<", Token::Infix(Operator::Less)),
    ("=", Token::Assign),
    (">", Token::Infix(Operator::Greater)),
    ("?", Token::Infix(Operator::Choose)),
    ("[", Token::OpenTuple),
    ("]", Token::CloseTuple),
    ("^", Token::Infix(Operator::Power)),
    ("|", Token::Infix(Operator::Or)),
];

/// A text as tokens; blanks lie between them.
#[derive(Debug)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    /// The bytes of each token in the whole source.
    pub(super) spans: Vec<Span>,
}

impl Token {
    /// Whether an operand may end with this token.
    pub(super) fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Close | Self::CloseTuple | Self::Index | Self::Integer | Self::Name | Self::Tp
        )
    }

    /// Whether an operand may begin with this token.
    pub(super) fn begins_operand(self) -> bool {
        matches!(
            self,
            Self::Index | Self::Integer | Self::Name | Self::Open | Self::OpenTuple
        )
    }
}

/// The character that another one stands for: Chinese keyboards have signs and digits of double width, and brackets of
/// their own.
pub(super) fn plain(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            let narrow = u32::from(character) - 0xfee0;
            char::from_u32(narrow).map_or(character, |narrow| narrow.to_ascii_lowercase())
        }
        '【' => '[',
        '】' => ']',
        '「' => '{',
        '」' => '}',
        '《' | '〈' => '<',
        '》' | '〉' => '>',
        '￥' | '¥' => '$',
        _ => character.to_ascii_lowercase(),
    }
}

/// The tokens of a part of a text.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    lex_by(&lexer(), text, span)
}

fn lex_by<'s>(
    lexer: &impl Parser<'s, &'s str, Vec<(Token, SimpleSpan)>>,
    text: &'s str,
    span: Span,
) -> Lexed {
    let found = lexer
        .parse(&text[span.start..span.end])
        .into_output()
        .expect("every character is part of some token");
    let (tokens, spans) = found
        .into_iter()
        .map(|(token, place): (Token, SimpleSpan)| {
            let place = Span::new(span.start + place.start, span.start + place.end);
            (token, place)
        })
        .unzip();
    Lexed { tokens, spans }
}

fn lexer<'s>() -> impl Parser<'s, &'s str, Vec<(Token, SimpleSpan)>> {
    let digits = any()
        .filter(|digit: &char| plain(*digit).is_ascii_digit())
        .repeated()
        .at_least(1)
        .to(Token::Integer);
    let letter = any().filter(|letter: &char| !matches!(plain(*letter), '{' | '}' | '\n'));
    // Blanks around a name are not of it, and alone they are none.
    let letters = letter.repeated();
    let name = any()
        .filter(|open: &char| plain(*open) == '{')
        .then(letter.filter(|letter| letter.is_whitespace()).repeated())
        .then(letter.filter(|letter| !letter.is_whitespace()))
        .then(letters)
        .then(any().filter(|close: &char| plain(*close) == '}'))
        .to(Token::Name);
    let unknown_word = lexical::letters().to(Token::Unknown);
    let token = choice((
        digits,
        name,
        choice(WORDS.map(|(word, token)| exactly(word).to(token))),
        just("……").to(Token::Infix(Operator::Power)),
        unknown_word,
        any().to(Token::Unknown),
    ));
    let space = choice((lexical::blank(), just('\n').ignored()))
        .repeated()
        .boxed();
    space
        .clone()
        .ignore_then(
            token
                .map_with(|token, extra| (token, extra.span()))
                .then_ignore(space)
                .repeated()
                .collect(),
        )
        .then_ignore(end())
}

/// A word in either case and width.
fn exactly<'s>(word: &'static str) -> impl Parser<'s, &'s str, ()> + Clone {
    custom::<_, &str, _, extra::Default>(move |input| {
        for letter in word.chars() {
            if input.next().map(plain) != Some(letter) {
                return Err(EmptyErr::default());
            }
        }
        Ok(())
    })
}

/// The tokens of each line that is a rule: neither empty nor a comment, which begins with `//`.
pub(super) fn rules(source: &Source) -> Vec<Vec<Span>> {
    let lexer = lexer();
    let mut rules = Vec::new();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let span = Span::new(start, start + line.len());
        start = span.end;
        let is_comment = line.trim_start_matches(lexical::is_blank).starts_with("//");
        if !is_comment {
            rules.push(lex_by(&lexer, source.text(), span).spans);
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text, Span::new(0, text.len())).tokens
    }

    #[test]
    fn no_word_begins_with_an_earlier_one() {
        for (at, (word, _)) in WORDS.iter().enumerate() {
            let earlier = &WORDS[..at];
            assert!(
                earlier.iter().all(|(other, _)| !word.starts_with(other)),
                "{word}"
            );
        }
    }

    #[test]
    fn words_need_no_blanks_between_them() {
        use Operator::{AtLeast, Fate, KeepHigh, Roll};
        let infix = Token::Infix;
        assert_eq!(
            tokens("3miniKHd4dF"),
            [
                Token::Integer,
                infix(AtLeast),
                Token::Index,
                infix(KeepHigh),
                infix(Roll),
                Token::Integer,
                infix(Fate),
            ]
        );
    }

    #[test]
    fn both_widths_are_read() {
        assert_eq!(
            tokens("【２Ｄ６，￥ｔ１】？（｛力量｝）：３"),
            tokens("[2d6,$t1]?({x}):3")
        );
    }

    #[test]
    fn lines_are_rules_but_for_comments() {
        let source = Source::new("rules", "// one\n2d6\n\n  // two\n 1?2:3 \n6//3");
        let rules = rules(&source);
        assert_eq!(rules.len(), 3);
        assert_eq!(source.slice(rules[1][0].to(rules[1][4])), "1?2:3");
    }
}
