//! Clauses that are put more plainly and then read: "payments are booked by Ingeborg" as "no payments".

mod phrases;

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::english::clause;
use crate::english::exact::Exact;
use crate::english::exact::told::turn::{Caught, Hole, Turn, hole, turns};
use crate::english::exact::words::{bare, begins, stems, strip};
use crate::english::exact::{Part, words};
use crate::english::interpret::Interpreter;
use crate::english::lexicon::{Entry, word_bases};
use crate::english::token::{Shape, Token};
use crate::english::{rephrase, when};
use crate::meaning::{Case, Deed, Doing, Place, Saying, Test, Verdict};
use phrases::{CARING, ELSE};

type Rules = Vec<(Verdict, Case)>;

/// How often what was put more plainly is put more plainly again.
const DEEPEST: usize = 3;

/// Words that no thing has in it: with one of them it is something that is said of it.
const SAYING: &[&str] = &[
    "never", "no", "not", "don't", "dont", "only", "must", "mustn't", "nothing", "nobody", "none", "unless",
    "except", "if", "when", "whenever", "ask", "may", "can", "cannot", "can't", "should", "shall", "always",
    "is", "are", "but", "because", "so", "then", "please", "without", "isn't", "aren't", "while", "else",
    "nowhere", "neither", "nor", "instead",
];

/// Words that make a rule: without any of them, what follows tells something else.
const RULING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "only",
    "must",
    "mustn't",
    "nothing",
    "nobody",
    "ask",
    "cannot",
    "can't",
    "may",
    "always",
    "need",
    "needs",
    "stay",
    "stays",
    "leave",
    "hands",
    "off",
    "forbidden",
    "out",
    "most",
    "should",
    "check",
    "none",
];

/// Words that say of whom they speak, but not what.
const PRONOUNS: &[&str] =
    &["it", "that", "this", "they", "i", "we", "you", "he", "she", "there", "those", "these", "them"];

/// Those whose things are not the agent's.
const PEOPLE: &[&str] = &[
    "the",
    "my",
    "our",
    "a",
    "an",
    "humans",
    "people",
    "me",
    "us",
    "somebody",
    "someone",
    "others",
    "qa",
    "ops",
    "mine",
    "i",
    "we",
    "whoever",
    "another",
    "other",
    "your",
    "admins",
    "developers",
    "hr",
    "it",
    "their",
    "human",
];

/// What is done by somebody who gets something: he is not the one who acts.
const RECEIVING: &[&str] = &["receive", "get", "have", "see", "need", "want", "be", "hear", "know"];

impl Exact<'_> {
    /// What a clause states that fits a form, once it is put more plainly.
    pub(in crate::english::exact) fn turned(&self, tokens: &[Token]) -> Option<Rules> {
        if self.depth.get() >= DEEPEST || tokens.len() < 2 {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        // Many forms ask for the same words.
        let known = RefCell::new(BTreeMap::new());
        let may_be = |hole: Hole, catch: &[Token]| {
            let key = (hole, catch.as_ptr().addr(), catch.len());
            let is_known: Option<bool> = known.borrow().get(&key).copied();
            is_known.unwrap_or_else(|| {
                let may_be = self.may_be(hole, catch);
                known.borrow_mut().insert(key, may_be);
                may_be
            })
        };
        let said = crate::names::marks(tokens.iter().map(|token| token.low.as_str()));
        let found = turns()
            .iter()
            .filter_map(|turn| Some((turn, turn.fits(tokens, said, &may_be)?)))
            .find_map(|(turn, caught)| self.put_plainly(turn, &caught));
        self.depth.set(self.depth.get() - 1);
        found
    }

    fn put_plainly(&self, turn: &Turn, caught: &Caught<'_>) -> Option<Rules> {
        if matches!(turn.plain.as_slice(), [one] if one == "{free when}") {
            return self.kept_free(caught.get(&Hole::When)?);
        }
        if let [first, sign, second] = turn.plain.as_slice()
            && matches!(sign.as_str(), "=" | ">" | "~" | "@" | "-")
        {
            let of = |piece: &str| caught.get(&hole(piece.trim_matches(['{', '}']))?).copied();
            let (thing, list) = (of(first)?, of(second)?);
            return match sign.as_str() {
                "@" => self.said_on(thing, list),
                "-" => self.without_those(thing, list),
                "=" => self.alone(thing, list),
                ">" => self.alone_to(thing, list),
                _ => self.values_alone(thing, list),
            };
        }
        if let Some(rules) = self.by_others(turn, caught) {
            return Some(rules);
        }
        let mut plain: Vec<Token> = Vec::new();
        for piece in &turn.plain {
            match piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}')) {
                Some(name) => plain.extend(self.put(name, caught)?),
                None => plain.push(word(piece)),
            }
        }
        let rules = self.plainly(&plain)?;
        // A time that a form catches counts for all of it.
        let is_timed =
            |(_, case): &(Verdict, Case)| case.tests.iter().any(|test| matches!(test, Test::Time { .. }));
        (!caught.contains_key(&Hole::When) || rules.iter().all(is_timed)).then_some(rules)
    }

    /// "issues are closed by the reporter": what somebody else does to them is what is meant.
    fn by_others(&self, turn: &Turn, caught: &Caught<'_>) -> Option<Rules> {
        if turn.plain.as_slice() != ["{no x by done}"] {
            return None;
        }
        let verb = self.base(caught.get(&Hole::Done)?.first()?)?;
        if CARING.contains(&verb.as_str()) {
            return None;
        }
        let thing = self.inner(caught.get(&Hole::X)?);
        self.clause(&[&[word("never"), word(&verb)][..], &thing].concat())
    }

    /// Words that are not written with the tools of a server.
    fn said_on(&self, words: &[Token], server: &[Token]) -> Option<Rules> {
        let [server] = server else { return None };
        let server = self
            .hand
            .server_like(&server.low)
            .or_else(|| self.hand.has_server(&server.low).then(|| server.low.clone()))?;
        let what = self.quoted_words(words)?.into_iter().map(Saying::Words).collect();
        let tests = vec![
            Test::Says { what, parameter: None, is: true },
            Test::Tool { names: vec![server], is: true },
        ];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
        )])
    }

    /// "comments yes, edits no": what is forbidden, and what of it is not.
    fn without_those(&self, denied: &[Token], allowed: &[Token]) -> Option<Rules> {
        let fine: Vec<Token> = allowed.iter().cloned().chain(["are", "fine"].map(word)).collect();
        let exceptions = self.permission(&fine)?;
        let mut rules = self.plainly(&self.denied(denied, None))?;
        // Who may commit and must not push must not do both at once either.
        let is_broad = |case: &Case| case.doings.iter().any(|doing| matches!(doing, Doing::Deed(_)));
        let broad = rules.iter_mut().filter(|(_, case)| is_broad(case));
        broad.for_each(|(_, case)| case.unless.extend(exceptions.iter().cloned()));
        Some(rules)
    }

    /// What stands for a hole in the plain sentence.
    fn put(&self, name: &str, caught: &Caught<'_>) -> Option<Vec<Token>> {
        let of = |name: &str| caught.get(&hole(name)?).copied();
        match name {
            "no x" => Some(self.denied(of("x")?, None)),
            "no x by done" => Some(self.denied(of("x")?, Some(self.base(of("done")?.first()?)?))),
            "ask x" => Some(self.asked(of("x")?)),
            "verb" | "done" => Some(vec![word(&self.base(of(name)?.first()?)?)]),
            name => of(name).map(|catch| self.inner(catch)),
        }
    }

    /// Words from the beginning of a sentence, for the middle of one: a capital letter says nothing there.
    pub(in crate::english::exact) fn inner(&self, tokens: &[Token]) -> Vec<Token> {
        let mut tokens = tokens.to_vec();
        if let Some(first) = tokens.first_mut()
            && first.shape == Shape::Word
            && first.is_capital()
            && first.text.chars().skip(1).all(char::is_lowercase)
            && self.lexicon.knows(first)
        {
            first.text.clone_from(&first.low);
        }
        tokens
    }

    /// Reads a plain sentence, word by word or as the looser reader does, if that leaves nothing out.
    pub(in crate::english::exact) fn plainly(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rules) = self.clause(words::core(tokens)) {
            return Some(rules);
        }
        if let Some(parts) = self.sentence(tokens, false) {
            let is_plain = parts.iter().all(|part| !matches!(part, Part::Permission(_)));
            let rules = parts.into_iter().flat_map(|part| match part {
                Part::Rules(rules) => rules,
                Part::Permission(_) | Part::Aside(_) => Vec::new(),
            });
            return is_plain.then(|| rules.collect());
        }
        self.freely(tokens)
    }

    /// What the looser reader makes of a sentence, if it uses every word of it.
    pub(in crate::english::exact) fn freely(&self, tokens: &[Token]) -> Option<Rules> {
        if crate::english::exact::guard::slighted(tokens).is_some() {
            return None;
        }
        let plain = rephrase::rephrased(tokens.to_vec(), self.lexicon);
        let mut reader = Interpreter::new(self.lexicon, self.hand);
        for clause in &clause::clauses(&plain, &self.chunker()) {
            reader.clause(clause);
        }
        let reading = reader.finish().ok()?;
        if !reading.left_out.is_empty() || !reading.unused.is_empty() {
            return None;
        }
        let cases = reading.meanings.iter().flat_map(|meaning| &meaning.cases);
        if cases.clone().any(|case| self.guesses(case, tokens)) {
            return None;
        }
        let each = |meaning: crate::meaning::Meaning| {
            let verdict = meaning.verdict;
            meaning.cases.into_iter().map(move |case| (verdict, case))
        };
        Some(reading.meanings.into_iter().flat_map(each).collect())
    }

    /// Whether a rule is about something that is called by an ordinary word which nothing here is called by.
    pub(crate) fn guesses(&self, case: &Case, tokens: &[Token]) -> bool {
        self.guess(case, tokens, false).is_some()
    }

    /// The same where everything that is not called so would break the rule.
    pub(crate) fn guessed_only(&self, case: &Case, tokens: &[Token]) -> Option<String> {
        self.guess(case, tokens, true)
    }

    fn guess(&self, case: &Case, tokens: &[Token], only_others: bool) -> Option<String> {
        let is_guess = |name: &str| {
            let low = name.to_lowercase();
            let is_ordinary = low.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
            let is_named = tokens.iter().enumerate().any(|(at, token)| {
                let rest = tokens.get(at + 1..).unwrap_or_default();
                let takes = |phrase: &crate::english::lexicon::Phrase| match phrase.entry {
                    Entry::Thing(number) => self.lexicon.thing(number).is_some_and(|thing| thing.takes_name),
                    _ => false,
                };
                let is_it = low == token.low
                    || low.ends_with(&format!(" {}", token.low))
                    || low == crate::names::stem(&token.low);
                let front =
                    at.checked_sub(1).and_then(|before| tokens.get(before..=before)).unwrap_or_default();
                // "the word DRAFT" is written so on purpose.
                let is_loud = token.text.len() > 2 && token.text.chars().all(char::is_uppercase);
                let is_name = token.is_capital() && at > 0 && (is_loud || !self.lexicon.knows(token));
                let is_run = front.first().is_some_and(|before| self.hand.has_program(&before.low));
                is_it
                    && (is_name
                        || is_run
                        || self.lexicon.phrases(rest).iter().any(takes)
                        || self.lexicon.phrases(front).iter().any(takes))
            });
            is_ordinary && !is_named && !self.hand.has_word(&low)
        };
        let arguments = self.hand.arguments_of(&[]);
        let is_argument =
            |id: &str| arguments.contains(crate::names::words(id).join(" ").as_str()) && id.contains('_');
        let guessed = |test: &Test| match test {
            Test::Place { places, .. }
                if places.iter().any(|place| matches!(place, Place::Id(id) if is_argument(id))) =>
            {
                Some("argument".to_owned())
            }
            Test::Says { what, is: false, parameter: None } if only_others => {
                what.iter().find_map(|saying| match saying {
                    Saying::Words(words)
                        if is_guess(words.trim_start_matches(['^', '$']))
                            && !tokens.iter().any(|token| token.shape == Shape::Quoted) =>
                    {
                        Some(words.clone())
                    }
                    _ => None,
                })
            }
            Test::Place { inside: true, .. } | Test::Carries(_) | Test::Concerns(_) if only_others => None,
            Test::Place { places, .. } | Test::Carries(places) => {
                places.iter().find_map(|place| match place {
                    Place::Word(name) | Place::HostLike(name) if is_guess(name) => Some(name.clone()),
                    _ => None,
                })
            }
            Test::Concerns(names) => names.iter().find(|name| is_guess(name)).cloned(),
            _ => None,
        };
        case.tests.iter().chain(case.unless.iter().flatten()).find_map(guessed)
    }

    /// Whether a hole may catch these words.
    fn may_be(&self, hole: Hole, catch: &[Token]) -> bool {
        let has = |list: &[&str]| {
            catch.iter().any(|token| list.contains(&token.low.as_str()) && token.shape != Shape::Quoted)
        };
        let marked = |marks: &[char]| {
            catch.iter().any(|token| matches!(token.shape, Shape::Mark(mark) if marks.contains(&mark)))
        };
        match hole {
            Hole::X | Hole::Y => {
                let is_pronoun = matches!(catch, [one] if PRONOUNS.contains(&one.low.as_str()) && one.shape == Shape::Word);
                // "DROP, TRUNCATE and ALTER" is one thing, as far as a form goes.
                let is_list =
                    catch.iter().rposition(|token| token.shape == Shape::Mark(',')).is_none_or(|comma| {
                        catch.iter().skip(comma).any(|token| matches!(token.low.as_str(), "and" | "or" | ")"))
                    });
                !is_pronoun
                    && !self.commands(catch)
                    && !has(SAYING)
                    && is_list
                    && !marked(&[':', ';', '.', '!'])
                    && is_closed(catch)
            }
            Hole::List => !has(SAYING) && !marked(&[':', ';', '.', '!']) && is_closed(catch),
            Hole::Rule => {
                catch.len() > 1
                    && has(RULING)
                    && !catch.iter().any(|token| token.shape == Shape::Number && token.text.len() < 6)
            }
            Hole::Who => self.is_somebody(catch),
            Hole::Verb | Hole::Done => {
                matches!(catch, [one] if self.base(one).is_some_and(|base| !RECEIVING.contains(&base.as_str())))
            }
            Hole::Tool => self.is_tool(catch),
            Hole::Tail => {
                let first = catch.first().map_or("", |token| token.low.as_str());
                matches!(
                    first,
                    "to" | "in"
                        | "on"
                        | "with"
                        | "from"
                        | "into"
                        | "at"
                        | "outside"
                        | "without"
                        | "as"
                        | "onto"
                ) && !has(SAYING)
                    && !marked(&[':', ';', '.', '!'])
            }
            Hole::When => self.is_time(catch),
            Hole::Label => self.is_label(catch),
            Hole::Else => catch.len() < 8 && strip(catch, ELSE).is_some(),
            Hole::Fine => {
                catch.len() < 8
                    && catch.iter().all(|token| matches!(token.shape, Shape::Word | Shape::Mark('(' | ')')))
            }
        }
    }

    /// Whether words say what to do: "keep meetings short" is no thing.
    fn commands(&self, catch: &[Token]) -> bool {
        const ORDERING: &[&str] = &[
            "stay", "keep", "leave", "use", "do", "make", "let", "stick", "remain", "avoid", "work", "treat",
            "stop", "hands",
        ];
        let Some(first) = catch.first() else { return false };
        (catch.len() > 1 && ORDERING.contains(&first.low.as_str()) && first.shape == Shape::Word)
            || (catch.len() > 1
                && self.lexicon.is_wish(catch)
                && !first.low.ends_with("ing")
                && !self.names_act(catch)
                && !self.hand.has_program(&first.low))
    }

    fn is_tool(&self, catch: &[Token]) -> bool {
        match catch {
            [one] => self.hand.has_program(&one.low) || self.hand.tool(&one.text).is_some(),
            [first, .., _] => catch.len() < 4 && self.hand.has_program(&first.low),
            [] => false,
        }
    }

    fn is_somebody(&self, catch: &[Token]) -> bool {
        let catch = crate::english::exact::words::bracketed(catch).map_or(catch, |(before, _)| before);
        let Some(first) = catch.first() else { return false };
        let is_word = |token: &Token| token.shape == Shape::Word;
        let says_you = catch.iter().any(|token| matches!(token.low.as_str(), "you" | "agent" | "agents"));
        let is_name = first.is_capital() && !self.lexicon.knows(first);
        let is_person = PEOPLE.contains(&first.low.as_str())
            && (catch.len() > 1
                || !matches!(first.low.as_str(), "the" | "my" | "our" | "a" | "an" | "your" | "their"));
        let says = catch.iter().any(|token| SAYING.contains(&token.low.as_str()));
        catch.len() < 6
            && !says_you
            && !says
            && catch.iter().all(is_word)
            && (is_name || is_person || first.low.ends_with("'s"))
    }

    fn is_time(&self, catch: &[Token]) -> bool {
        let reads = |tokens: &[Token]| {
            when::read(tokens, self.year).is_some_and(|(_, length)| length == tokens.len())
        };
        reads(catch)
    }

    /// Words that only lead to a rule: nothing that is done, no thing, no argument.
    fn is_label(&self, catch: &[Token]) -> bool {
        let is_word = |token: &Token| token.shape == Shape::Word;
        if catch.len() > 3
            || !catch.iter().all(is_word)
            || catch.iter().any(|token| SAYING.contains(&token.low.as_str()))
        {
            return false;
        }
        let last = catch.last().map_or("", |token| token.low.as_str());
        const LEADING: &[&str] = &[
            "rule",
            "rules",
            "note",
            "reminder",
            "policy",
            "notice",
            "warning",
            "important",
            "careful",
            "attention",
        ];
        if LEADING.contains(&last) {
            return true;
        }
        let nouns = stems(catch);
        let is_meant = |at: usize| {
            let rest = catch.get(at..).unwrap_or_default();
            self.lexicon.phrases(rest).iter().any(|phrase| {
                matches!(phrase.entry, Entry::Act(_) | Entry::Thing(_) | Entry::Verb(_) | Entry::Marker(_))
            })
        };
        !(0..catch.len()).any(is_meant)
            && !nouns.iter().any(|noun| self.hand.has_tool_word(noun) || self.hand.has_program(noun))
            && self.ground(&nouns, &[]).is_none()
    }

    /// The base form of a verb that is known here.
    pub(in crate::english::exact) fn base(&self, token: &Token) -> Option<String> {
        if token.shape != Shape::Word {
            return None;
        }
        let is_verb = |base: &String| {
            let phrases = self.lexicon.phrases(&[word(base)]);
            CARING.contains(&base.as_str())
                || phrases.iter().any(|phrase| matches!(phrase.entry, Entry::Verb(_)) && phrase.length == 1)
                || self.hand.has_tool_word(base)
        };
        let mut bases = word_bases(&token.low);
        bases.rotate_left(1);
        bases.into_iter().find(is_verb)
    }

    /// Whether words name something that is done, and not a thing that it is done to.
    pub(in crate::english::exact) fn names_act(&self, tokens: &[Token]) -> bool {
        let plain = bare(tokens);
        let acts =
            self.lexicon.phrases(plain).into_iter().any(|phrase| matches!(phrase.entry, Entry::Act(_)));
        let head = plain
            .iter()
            .position(|token| token.shape != Shape::Word || self.lexicon.is_between(token))
            .map_or(plain, |at| plain.get(..at).unwrap_or(plain));
        acts || (!head.is_empty() && self.hand.has_tool_about(&stems(head)))
    }

    /// What forbids this: what is done itself, or changes to the thing.
    fn denied(&self, tokens: &[Token], verb: Option<String>) -> Vec<Token> {
        if let Some(plain) = self.wished(tokens) {
            return std::iter::once(word("never")).chain(plain).collect();
        }
        let tokens = &self.inner(tokens);
        let behind = tokens.iter().cloned();
        if is_anything(tokens) && tokens.len() > 1 {
            let rest = behind.skip(1);
            return std::iter::once(word("nothing")).chain(rest).collect();
        }
        if self.names_act(tokens) {
            return std::iter::once(word("no")).chain(behind).collect();
        }
        let verb =
            verb.filter(|verb| !CARING.contains(&verb.as_str())).unwrap_or_else(|| "change".to_owned());
        [word("never"), word(&verb)].into_iter().chain(behind).collect()
    }

    /// What asks before this.
    fn asked(&self, tokens: &[Token]) -> Vec<Token> {
        let mut plain: Vec<Token> = ["ask", "me", "before"].map(word).into();
        if is_anything(tokens) {
            plain.extend(self.inner(tokens));
            return plain;
        }
        match self.wished(tokens) {
            Some(wished) => {
                plain.push(word("you"));
                plain.extend(wished);
            }
            None if self.names_act(tokens) => {
                plain.push(word("any"));
                plain.extend(bare(tokens).iter().cloned());
            }
            None => {
                plain.extend(["you", "change"].map(word));
                plain.extend(self.inner(tokens));
            }
        }
        plain
    }

    /// "Closing issues" as "close issues".
    fn wished(&self, tokens: &[Token]) -> Option<Vec<Token>> {
        let (first, rest) = tokens.split_first()?;
        if !first.low.ends_with("ing") || first.shape != Shape::Word {
            return None;
        }
        let base = self.base(first).filter(|base| *base != first.low)?;
        Some(std::iter::once(word(&base)).chain(rest.iter().cloned()).collect())
    }
}

fn is_anything(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|first| matches!(first.low.as_str(), "anything" | "everything"))
        && tokens
            .get(1)
            .is_some_and(|next| matches!(next.low.as_str(), "with" | "using" | "via" | "to" | "that"))
}

/// Whether every bracket in it is closed there.
fn is_closed(tokens: &[Token]) -> bool {
    let count = |mark: char| tokens.iter().filter(|token| token.shape == Shape::Mark(mark)).count();
    count('(') == count(')') && begins(tokens, ")").is_none()
}

pub(in crate::english::exact) fn word(text: &str) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: 0 }
}
