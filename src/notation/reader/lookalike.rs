//! Signs of word processors and of other keyboards that stand for ASCII.

/// The ASCII text that a sign stands for. It is empty for a sign to leave out.
pub(crate) fn lookalike(sign: char) -> Option<&'static str> {
    Some(match sign {
        '×' | '✕' | '✖' | '·' | '∙' | '⋅' | '•' | '∗' | '＊' => "*",
        '−' | '–' | '—' | '‐' | '‑' | '‒' | '－' | '﹣' => "-",
        '÷' | '∕' | '⁄' | '／' => "/",
        '≥' | '⩾' | '≧' => ">=",
        '≤' | '⩽' | '≦' => "<=",
        '≠' => "!=",
        '…' | '‥' => "..",
        '＋' => "+",
        '＃' => "#",
        '％' => "%",
        '，' | '、' => ",",
        '．' => ".",
        '＜' => "<",
        '＞' => ">",
        '＝' => "=",
        '＾' => "^",
        '²' => "^2",
        '³' => "^3",
        '（' | '[' | '{' | '【' => "(",
        '）' | ']' | '}' | '】' => ")",
        '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' | '\u{200b}' => {
            ""
        }
        '０'..='９' => return DIGITS.get(sign as usize - '０' as usize).copied(),
        _ => return None,
    })
}

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
