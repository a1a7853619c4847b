//! What the words of a piece find among the tools that list themselves: acts, things, arguments and their values.

use std::collections::BTreeSet;

use super::forms::{agents, begun, forms, is_form, is_value};
use super::pieces::{Piece, stays_undone, undone};
use super::vocabulary::Vocabulary;
use crate::english::amount;
use crate::english::exact::told::bag::is_word_of;
use crate::english::lexicon::bases;
use crate::english::token::{Shape, Token};
use crate::hand::{Argument, Hand, Offer, Sort};
use crate::meaning::Form;
use crate::names;

/// A value with the arguments that take it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Valued {
    /// The names of arguments; whichever where there is none.
    pub(super) names: Vec<String>,
    pub(super) forms: Vec<Form>,
    /// Where it stands in the piece.
    pub(super) at: usize,
    /// Whether it is a path.
    pub(super) is_path: bool,
}

/// What the words of a piece find.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Finds {
    /// By the names of acts.
    pub(super) acts: BTreeSet<String>,
    /// By words that tools have in their names.
    pub(super) verbs: BTreeSet<String>,
    pub(super) things: Vec<String>,
    pub(super) values: Vec<Valued>,
    /// Arguments that are named without a value.
    pub(super) slots: Vec<Vec<String>>,
    pub(super) numbers: Vec<i64>,
    pub(super) strange: Vec<String>,
    /// Words that only descriptions have.
    pub(super) vague: Vec<String>,
    /// Words with capital letters that nobody knows, and where they stand.
    pub(super) named: Vec<(String, usize)>,
    pub(super) is_broad: bool,
    pub(super) uses: bool,
    /// Whether it has words that other readers know better.
    pub(super) is_foreign: bool,
    /// Tools by their own names.
    pub(super) tools: Vec<String>,
}

impl Finds {
    /// Whether anything says which tools are meant.
    pub(super) fn names_tools(&self) -> bool {
        !self.acts.is_empty() || !self.verbs.is_empty() || !self.things.is_empty() || !self.tools.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.names_tools() && self.values.is_empty() && self.slots.is_empty() && !self.is_broad && !self.uses
    }

    pub(super) fn add(&mut self, other: &Finds) {
        self.acts.extend(other.acts.iter().cloned());
        self.verbs.extend(other.verbs.iter().cloned());
        self.things.extend(
            other.things.iter().filter(|thing| !self.things.contains(thing)).cloned().collect::<Vec<_>>(),
        );
        self.values.extend(other.values.iter().cloned());
        self.slots.extend(other.slots.iter().cloned());
        self.numbers.extend(&other.numbers);
        self.tools.extend(other.tools.iter().cloned());
        self.is_broad |= other.is_broad;
        self.uses |= other.uses;
    }
}

/// Looks words up.
pub(super) struct Finder<'f> {
    pub(super) hand: &'f Hand,
    pub(super) words: &'static Vocabulary,
}

impl<'f> Finder<'f> {
    pub(super) fn finds(&self, tokens: &[Token]) -> Finds {
        let mut finds = Finds::default();
        let mut at = 0;
        while at < tokens.len() {
            at += agents(tokens, at);
            let Some(token) = tokens.get(at) else { break };
            at += self.take(tokens, at, token, &mut finds).max(1);
        }
        finds
    }

    /// Takes what begins here, and says how many words that is.
    fn take(&self, tokens: &[Token], at: usize, token: &Token, finds: &mut Finds) -> usize {
        if matches!(token.shape, Shape::Mark(_)) {
            return 1;
        }
        finds.is_foreign |= self.words.is("spoken", &token.text)
            || self.words.is("holding_words", &token.low)
            || matches!(token.shape, Shape::Host | Shape::Url)
            || matches!(
                token.low.as_str(),
                "hours" | "hour" | "minutes" | "minute" | "degrees" | "days" | "weeks"
            ) && tokens.iter().any(|other| {
                self.stands(other) && amount::read_number(std::slice::from_ref(other)).is_some()
            })
            || token.shape == Shape::Number && token.low.contains(':');
        if let Some(tool) = self.hand.tool(&token.text).filter(|_| token.shape == Shape::Identifier) {
            finds.tools.push(tool);
            return 1;
        }
        let written = names::joined(&token.text);
        if token.shape == Shape::Identifier && self.arguments().any(|argument| argument.name == written) {
            finds.slots.push(vec![written]);
            return 1;
        }
        if matches!(token.low.as_str(), "main" | "master" | "develop" | "trunk")
            && let Some(names) = self.slot("branch").filter(|names| !names.is_empty())
        {
            finds.values.push(Valued { names, forms: forms(&token.text), at, is_path: false });
            return 1;
        }
        if let Some(length) = self.chosen(tokens, at, finds) {
            return length;
        }
        if self.stands(token) {
            self.valued(tokens, at, token, finds);
            return 1;
        }
        let is_left = token.low == "alone"
            && tokens.iter().any(|other| matches!(other.low.as_str(), "leave" | "left" | "leaves"));
        if is_left || self.words.is("broad", &token.low) {
            finds.is_broad = true;
            return 1;
        }
        if self.words.is("using", &token.low) {
            finds.uses = true;
        }
        if self.acted(tokens, at, token, finds) || self.is_server(&token.low) {
            return 1;
        }
        let is_light = is_word_of("anything", &token.low) || self.words.is("light", &token.low);
        let slot = self.slot(&token.low);
        if is_light && slot.is_none_or(|names| names.is_empty()) || token.low.len() < 3 {
            return 1;
        }
        if let Some((length, names)) = self.slots(tokens, at) {
            // "namespace payments", "the payments namespace"
            match self.beside(tokens, at, length) {
                Some(value) => {
                    let forms = begun(tokens, value);
                    finds.strange.retain(|word| tokens.get(value).is_none_or(|token| token.low != *word));
                    finds.values.retain(|own| own.at != value);
                    finds.values.push(Valued { names, forms, at: value, is_path: false });
                    return if value > at { value + 1 - at } else { length };
                }
                None if !is_light => {
                    finds.slots.push(names);
                    self.thing(token, finds);
                    return length;
                }
                // "always set an end"
                None if names.contains(&names::stem(&token.low))
                    && tokens
                        .get(at.wrapping_sub(1))
                        .is_some_and(|before| matches!(before.low.as_str(), "a" | "an")) =>
                {
                    finds.slots.push(names);
                    return length;
                }
                None => return length,
            }
        }
        if is_light || self.thing(token, finds) {
            return 1;
        }
        // "nothing in the vault": all that the server has.
        let is_all = matches!(tokens.get(at.saturating_sub(2)..at), Some([of, the])
            if matches!(of.low.as_str(), "in" | "on" | "from" | "of" | "into" | "at")
                && matches!(the.low.as_str(), "the" | "this" | "our" | "my"));
        let is_mentioned = self.hand.mentions(&token.low) || self.hand.mentions(&names::stem(&token.low));
        if is_mentioned
            && is_all
            && (!finds.acts.is_empty()
                || tokens.iter().skip(at).any(|next| !self.words.acts_said(&next.low).is_empty()))
        {
            return 1;
        }
        if is_mentioned {
            finds.vague.push(token.low.clone());
            return 1;
        }
        if token.shape == Shape::Word && token.is_capital() {
            finds.named.push((token.text.clone(), at));
        }
        finds.strange.push(token.low.clone());
        1
    }

    fn is_server(&self, word: &str) -> bool {
        self.hand.has_server(word) || self.hand.server_like(word).is_some()
    }

    /// Whether a word stands for itself, as opposed to a short name of something that tools have.
    fn stands(&self, token: &Token) -> bool {
        let stem = names::stem(&token.low);
        if matches!(token.low.as_str(), "production" | "prod" | "staging") {
            return true;
        }
        is_value(token)
            && !(token.shape == Shape::Word
                && (self.is_thing(&stem) || self.hand.mentions(&stem) || self.is_server(&stem)))
    }

    /// What a word says is done.
    fn acted(&self, tokens: &[Token], at: usize, token: &Token, finds: &mut Finds) -> bool {
        const LEADING: &[&str] = &[
            "don't", "dont", "never", "not", "to", "you", "i", "may", "can", "must", "should", "please",
            "neither", "nor", "and", "or", "only", "we", "just", "always",
        ];
        // "get deleted": what is done stands behind.
        let is_helping = matches!(token.low.as_str(), "get" | "gets" | "be" | "getting")
            && tokens.get(at + 1).is_some_and(|next| {
                next.low.ends_with("ed") || next.low.ends_with("en") || next.low == "set"
            });
        if is_helping
            || token.shape != Shape::Word
            || matches!(
                token.low.as_str(),
                "get"
                    | "gets"
                    | "has"
                    | "have"
                    | "had"
                    | "is"
                    | "are"
                    | "be"
                    | "was"
                    | "do"
                    | "does"
                    | "did"
                    | "done"
                    | "put"
                    | "set"
            ) && at > 0
                && !LEADING.contains(&tokens.get(at - 1).map_or("", |before| before.low.as_str()))
        {
            return false;
        }
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_verb = token.low.ends_with("ing")
            || token.low.ends_with("ed")
            || before.map_or(!token.low.ends_with('s'), |before| LEADING.contains(&before.low.as_str()));
        let is_thing = self.is_thing(&token.low);
        // "names that start with …"
        if matches!(token.low.as_str(), "start" | "starts" | "starting")
            && tokens.get(at + 1).is_some_and(|next| next.low == "with")
        {
            return false;
        }
        // "bookings" are what tools are about, though to book is done.
        let stem = names::stem(&token.low);
        let is_literal = stem.ends_with("ing") && self.hand.offers().any(|offer| offer.words.contains(&stem));
        if is_literal {
            return false;
        }
        // "no merges": what a tool does, though others have the word as well.
        let is_own = before.is_some_and(|before| matches!(before.low.as_str(), "no" | "any"))
            && self.hand.offers().any(|offer| {
                self.verbs(offer).iter().any(|verb| bases(token).iter().any(|base| base == verb))
            });
        if is_thing && !is_verb && !is_own {
            return false;
        }
        let low = match stays_undone(tokens) {
            true => undone(&token.low).unwrap_or_else(|| token.low.clone()),
            false => token.low.clone(),
        };
        let said: Vec<&str> = self.words.acts_said(&low);
        let done: Vec<&&str> =
            said.iter().filter(|act| self.hand.offers().any(|offer| self.does(offer, act))).collect();
        if !done.is_empty() {
            finds.acts.extend(done.into_iter().map(|act| (*act).to_owned()));
            return true;
        }
        // A verb that only the tools have: `mute` of `mute_host`.
        let own = bases(token).into_iter().find(|base| {
            base.len() > 2
                && self.hand.offers().any(|offer| {
                    offer.words.first() == Some(base) || self.verbs(offer).contains(&base.as_str())
                })
        });
        if let Some(own) = own.filter(|_| is_verb || !is_thing) {
            finds.verbs.insert(own);
            return true;
        }
        if said.is_empty() || is_thing {
            return false;
        }
        // "completed", "assignee": what an argument says is done.
        if let Some(names) = self.argued(token) {
            finds.slots.push(names);
            return true;
        }
        let is_light = is_word_of("anything", &token.low) || self.words.is("light", &token.low);
        if is_light || said.contains(&"read") || said.contains(&"create") || said.contains(&"grant") {
            return !is_light;
        }
        finds.strange.push(token.low.clone());
        true
    }

    /// Arguments whose names begin like what is done: `completed`, `assignee`.
    fn argued(&self, token: &Token) -> Option<Vec<String>> {
        let stems: Vec<String> = bases(token).into_iter().filter(|base| base.len() > 4).collect();
        let begins = |argument: &&Argument| {
            argument.name.split(' ').any(|word| stems.iter().any(|stem| word.starts_with(stem.as_str())))
        };
        let names: BTreeSet<String> =
            self.arguments().filter(begins).map(|argument| argument.name.clone()).collect();
        (!names.is_empty()).then(|| names.into_iter().collect())
    }

    fn arguments(&self) -> impl Iterator<Item = &'f Argument> {
        self.hand.offers().flat_map(|offer| &offer.arguments)
    }

    /// What a tool's name says that it does.
    pub(super) fn verbs<'o>(&self, offer: &'o Offer) -> Vec<&'o str> {
        let words: Vec<&str> = offer.words.iter().map(String::as_str).collect();
        let mut found: Vec<&str> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let follows = at > 0 && matches!(words.get(at - 1), Some(&"or" | &"and"));
            let is_request =
                matches!(words.get(at + 1), Some(&"request")) && matches!(*word, "merge" | "pull");
            let is_first = found.is_empty() && !is_request;
            if self.words.is_verb(word) && (is_first || follows || *word == "live") {
                found.push(word);
            }
        }
        if found.is_empty() && self.words.does("read", &offer.opening) {
            found.push(offer.opening.as_str());
        }
        found
    }

    /// Whether a tool does something, by the name of an act.
    pub(super) fn does(&self, offer: &Offer, act: &str) -> bool {
        self.verbs(offer).iter().any(|verb| self.words.does(act, verb))
    }

    /// Whether a tool only looks.
    pub(super) fn is_reading(&self, offer: &Offer) -> bool {
        let verbs = self.verbs(offer);
        // What is downloaded to a place is written there.
        let is_saving = verbs.iter().any(|verb| matches!(*verb, "download" | "export" | "save"))
            && offer.arguments.iter().any(|argument| {
                argument.name.split(' ').any(|word| matches!(word, "path" | "directory" | "folder"))
            });
        !is_saving
            && verbs.iter().all(|verb| {
                self.words.does("read", verb) || matches!(*verb, "return" | "search" | "simulate")
            })
            && !verbs.is_empty()
            && !offer.words.iter().any(|word| word == "sql")
    }

    fn is_thing(&self, word: &str) -> bool {
        self.hand.offers().any(|offer| self.is_of(offer, word))
    }

    /// Whether a tool's name has this thing beside what is done.
    pub(super) fn is_of(&self, offer: &Offer, thing: &str) -> bool {
        let verbs = self.verbs(offer);
        let mut is_first = true;
        offer.words.iter().any(|word| {
            let is_verb = is_first && verbs.contains(&word.as_str());
            is_first &= !is_verb;
            !is_verb && self.words.is_same(thing, word)
        })
    }

    fn thing(&self, token: &Token, finds: &mut Finds) -> bool {
        let stem = names::stem(token.low.trim_end_matches("'s"));
        let is_found = self.is_thing(&stem);
        if is_found && !finds.things.contains(&stem) {
            finds.things.push(stem);
        }
        is_found
    }

    /// A value that a schema lists: `ACCREC`, `full access`, `draft`.
    fn chosen(&self, tokens: &[Token], at: usize, finds: &mut Finds) -> Option<usize> {
        (1..=3).rev().find_map(|length| {
            let words = tokens.get(at..at + length)?;
            if words.iter().any(|token| matches!(token.shape, Shape::Mark(_))) {
                return None;
            }
            let said =
                names::joined(&words.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" "));
            let first = words.first()?;
            let is_light = is_word_of("anything", &first.low) || self.words.is("light", &first.low);
            if said.len() < 3 || length == 1 && is_light {
                return None;
            }
            let fits = |value: &&String| {
                let own = names::joined(value);
                let last = own.rsplit(' ').next().unwrap_or_default();
                let is_last = !own.contains(' ') || value.contains(['/', ':']);
                own == said
                    || is_last && length == 1 && (self.words.is_same(&said, last) || is_form(&said, last))
            };
            let mut names: BTreeSet<String> = BTreeSet::new();
            let mut forms: Vec<Form> = Vec::new();
            for argument in self.arguments() {
                for value in argument.values.iter().filter(fits) {
                    names.insert(argument.name.clone());
                    let form = Form::Is(value.clone());
                    if !forms.contains(&form) {
                        forms.push(form);
                    }
                }
            }
            // What is done or what it is done to comes first, unless it is written as values are.
            let is_written =
                first.text.chars().all(|letter| !letter.is_lowercase()) || first.shape != Shape::Word;
            let is_other = || {
                let is_exact = self
                    .arguments()
                    .flat_map(|argument| &argument.values)
                    .any(|value| names::joined(value) == said)
                    && !self.hand.offers().any(|offer| offer.words.contains(&said));
                let does = !is_exact
                    && self
                        .words
                        .acts_said(&first.low)
                        .iter()
                        .any(|act| self.hand.offers().any(|offer| self.does(offer, act)));
                does || !is_exact && self.is_thing(&first.low)
            };
            if names.is_empty() || length == 1 && !is_written && is_other() {
                return None;
            }
            finds.values.push(Valued { names: names.into_iter().collect(), forms, at, is_path: false });
            Some(length)
        })
    }

    /// A value that stands for itself.
    fn valued(&self, tokens: &[Token], at: usize, token: &Token, finds: &mut Finds) {
        let number = amount::read_number(std::slice::from_ref(token)).map(|(number, _)| number);
        let beside = |other: Option<usize>| {
            let word = tokens.get(other?)?;
            let names = self.slot(&word.low)?;
            (word.shape == Shape::Word && !names.is_empty()).then_some(names)
        };
        let mut before = at.checked_sub(1);
        while before.and_then(|at| tokens.get(at)).is_some_and(|token| {
            matches!(token.shape, Shape::Mark('(' | '\''))
                || matches!(token.low.as_str(), "called" | "named" | "code" | "id")
        }) {
            before = before.and_then(|at| at.checked_sub(1));
        }
        const COMPARING: &[&str] =
            &["than", "most", "over", "above", "to", "under", "below", "least", "max", "exceed", "beyond"];
        let is_compared = number.is_some()
            && at
                .checked_sub(1)
                .and_then(|at| tokens.get(at))
                .is_some_and(|token| COMPARING.contains(&token.low.as_str()));
        let by_thing = |other: Option<usize>| {
            let word = tokens.get(other?).filter(|word| word.shape == Shape::Word)?;
            let mut about = self.hand.offers().filter(|offer| self.is_of(offer, &names::stem(&word.low)));
            about.any(|offer| offer.argument("id").is_some()).then(|| vec!["id".to_owned()])
        };
        let named = beside(before)
            .or_else(|| by_thing(before))
            .or_else(|| beside(Some(at + 1)))
            .filter(|_| !is_compared);
        match (named, number) {
            (Some(names), _) if number.is_none() || self.is_coded(&names) => {
                finds.values.push(Valued {
                    names,
                    forms: begun(tokens, at),
                    at,
                    is_path: token.shape == Shape::Path,
                });
            }
            (_, Some(number)) if !token.text.starts_with('+') => finds.numbers.push(number),
            (names, _) => {
                let names = names.unwrap_or_default();
                finds.values.push(Valued {
                    names,
                    forms: begun(tokens, at),
                    at,
                    is_path: token.shape == Shape::Path,
                });
            }
        }
    }

    /// Takes numbers for names where nothing says how much: "nothing gets booked to 820".
    pub(super) fn numbers_as_names(&self, found: &mut [(Piece<'_>, Finds)]) {
        let slots: Vec<String> = found
            .iter()
            .flat_map(|(_, finds)| {
                let told = finds.values.iter().flat_map(|valued| &valued.names);
                finds.slots.iter().flatten().chain(told).cloned().collect::<Vec<_>>()
            })
            .collect();
        let coded: Vec<String> =
            slots.into_iter().filter(|name| self.is_coded(std::slice::from_ref(name))).collect();
        if coded.is_empty() {
            return;
        }
        for (_, finds) in found {
            for number in std::mem::take(&mut finds.numbers) {
                let forms = vec![Form::Is(number.to_string())];
                finds.values.push(Valued { names: coded.clone(), forms, at: usize::MAX, is_path: false });
            }
        }
    }

    /// Takes unknown names for those of what holds things: "don't write to Actuals, use another sheet".
    pub(super) fn names_of_holders(&self, found: &mut [(Piece<'_>, Finds)]) {
        let is_holder = |name: &&String| name.split(' ').any(|word| self.words.is("holding", word));
        let slots: BTreeSet<String> = found
            .iter()
            .flat_map(|(_, finds)| {
                finds.slots.iter().flatten().filter(is_holder).cloned().collect::<Vec<_>>()
            })
            .collect();
        if slots.is_empty() || found.iter().any(|(_, finds)| !finds.values.is_empty()) {
            return;
        }
        for (_, finds) in found {
            let Some((name, at)) = finds.named.first().cloned() else { continue };
            finds.strange.retain(|word| *word != name.to_lowercase());
            let names = slots.iter().cloned().collect();
            finds.values.push(Valued { names, forms: forms(&name), at, is_path: false });
            finds.slots.retain(|names| !names.iter().any(|name| slots.contains(name)));
            finds.things.retain(|thing| {
                !slots.iter().any(|name| name.split(' ').any(|word| self.words.is_same(thing, word)))
            });
        }
    }

    /// Whether arguments of these names take texts, so that a number there is a name.
    fn is_coded(&self, names: &[String]) -> bool {
        self.arguments().any(|argument| names.contains(&argument.name) && argument.sort == Sort::Text)
    }

    /// The longest run of words that is the name of an argument.
    fn slots(&self, tokens: &[Token], at: usize) -> Option<(usize, Vec<String>)> {
        let two = tokens.get(at..at + 2).filter(|words| words.iter().all(|word| word.shape == Shape::Word));
        if let Some([first, second]) = two {
            let (first, second) = (names::stem(&first.low), names::stem(&second.low));
            let fits = |argument: &&Argument| {
                let words: Vec<&str> = argument.name.split(' ').collect();
                words.windows(2).any(|pair| matches!(pair, [one, two] if self.words.is_same(&first, one) && self.words.is_same(&second, two)))
                    || words.first().is_some_and(|one| *one == first) && matches!(words.as_slice(), [_, "on" | "at" | "by"]) && matches!(second.as_str(), "date" | "day" | "time")
            };
            let names: BTreeSet<String> =
                self.arguments().filter(fits).map(|argument| argument.name.clone()).collect();
            if !names.is_empty() {
                return Some((2, names.into_iter().collect()));
            }
        }
        let names = self.slot(&tokens.get(at)?.low)?;
        (!names.is_empty()).then_some((1, names))
    }

    /// The arguments that a word names: `region`, `accountCode` for "account".
    fn slot(&self, word: &str) -> Option<Vec<String>> {
        const TAILS: &[&str] = &[
            "id",
            "url",
            "name",
            "key",
            "code",
            "slug",
            "arn",
            "path",
            "gid",
            "type",
            "iid",
            "number",
            "directory",
            "address",
        ];
        const HEADS: &[&str] =
            &["max", "num", "min", "new", "the", "target", "to", "is", "total", "unit", "routing"];
        let stem = names::stem(word);
        if stem.len() < 3 {
            return None;
        }
        let fits = |argument: &&Argument| {
            let words: Vec<&str> = argument.name.split(' ').collect();
            let own = words
                .iter()
                .filter(|own| !TAILS.contains(own) && !HEADS.contains(own))
                .copied()
                .collect::<Vec<_>>();
            match own.as_slice() {
                [own] => {
                    self.words.is_same(&stem, own)
                        || *own == format!("{stem}name")
                        || *own == format!("file{stem}")
                }
                [] => words.contains(&stem.as_str()),
                _ => false,
            }
        };
        let names: BTreeSet<String> =
            self.arguments().filter(fits).map(|argument| argument.name.clone()).collect();
        Some(names.into_iter().collect())
    }

    /// The value beside the name of an argument.
    fn beside(&self, tokens: &[Token], at: usize, length: usize) -> Option<usize> {
        let names = self.slots(tokens, at).map(|(_, names)| names).unwrap_or_default();
        let last = tokens.get(at + length - 1).map(|token| names::stem(&token.low)).unwrap_or_default();
        let holds = self.words.is("holding", &last);
        let is_plain = |token: &Token, place: usize| {
            let is_name = token.is_capital() && place > 0;
            token.shape == Shape::Word
                && token.low.len() > 1
                && (is_name
                    || holds && (place > at || !self.hand.mentions(&token.low) || token.low == "main"))
                && !is_word_of("anything", &token.low)
                && !self.words.is("light", &token.low)
                && !self.words.is("broad", &token.low)
                && !self.words.is("common", &token.low)
                && self.words.acts_said(&token.low).is_empty()
                && !self.is_thing(&token.low)
                && !self.is_server(&token.low)
                && self.slot(&token.low).is_none_or(|names| names.is_empty())
        };
        let is_name = |place: usize| {
            tokens.get(place).is_some_and(|token| {
                let is_number = amount::read_number(std::slice::from_ref(token)).is_some();
                self.stands(token) && (!is_number || self.is_coded(&names)) || is_plain(token, place)
            })
        };
        let mut next = at + length;
        while tokens
            .get(next)
            .is_some_and(|token| matches!(token.low.as_str(), "called" | "named" | "(" | "'" | "code"))
        {
            next += 1;
        }
        if is_name(next) {
            return Some(next);
        }
        at.checked_sub(1).filter(|before| is_name(*before))
    }
}
