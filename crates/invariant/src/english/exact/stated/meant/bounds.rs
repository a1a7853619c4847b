//! Regular expressions for the numbers above or below one, as texts and commands write them.

/// What is behind a number: no further digit. A sign such as that of percent is left for what follows.
const END: &str = r"(?:\b|[^\W0-9])";

/// A regular expression for the numbers above this one.
pub(super) fn above(most: u64) -> String {
    let digits = most.to_string();
    let apart = apart(most).into_iter();
    let all: Vec<String> = apart.chain(greater(&digits)).collect();
    let all = all.join("|");
    // 500.50 is above 500.
    format!("0*(?:(?:{all})(?:[.,][0-9]{{1,2}})?|{digits}[.,](?:[1-9][0-9]?|0[1-9])){END}")
}

/// Expressions for the whole numbers above one with these digits.
fn greater(digits: &str) -> Vec<String> {
    let longer = format!("[1-9][0-9]{{{},}}", digits.len());
    let alike = digits.char_indices().filter_map(|(at, digit)| {
        let next = char::from_u32(u32::from(digit) + 1).filter(char::is_ascii_digit)?;
        let rest = digits.len() - at - 1;
        Some(format!("{}[{next}-9][0-9]{{{rest}}}", digits.get(..at)?))
    });
    std::iter::once(longer).chain(alike).collect()
}

/// The same for numbers of which thousands are set apart: "1,200".
fn apart(most: u64) -> Vec<String> {
    const SIGN: &str = "[,.' ]";
    let (thousands, rest) = (most / 1000, most % 1000);
    if thousands == 0 {
        return vec![format!("[1-9][0-9]{{0,2}}(?:{SIGN}[0-9]{{3}})+")];
    }
    let digits = thousands.to_string();
    let more = greater(&digits).into_iter().map(|more| format!("{more}{SIGN}[0-9]{{3}}"));
    let alike = greater(&format!("{rest:03}")).into_iter().filter(|more| !more.starts_with("[1-9][0-9]{3,}"));
    let alike = alike.map(|more| format!("{digits}{SIGN}{more}"));
    more.chain(alike).collect()
}

/// A regular expression for the whole numbers below this one.
pub(super) fn below(least: u64) -> String {
    let digits = least.to_string();
    let shorter = (digits.len() > 1).then(|| format!("[0-9]{{1,{}}}", digits.len() - 1));
    let alike = digits.char_indices().filter_map(|(at, digit)| {
        let before = char::from_u32(u32::from(digit).checked_sub(1)?).filter(char::is_ascii_digit)?;
        let rest = digits.len() - at - 1;
        Some(format!("{}[0-{before}][0-9]{{{rest}}}", digits.get(..at)?))
    });
    let all: Vec<String> = shorter.into_iter().chain(alike).collect();
    let none = "[^\\s\\S]".to_owned();
    let all = if all.is_empty() { none } else { all.join("|") };
    format!("(?:{all})(?:[^0-9.]|$)")
}
