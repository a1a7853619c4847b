//! Sentences of a known build, read word by word. Nothing may be left over: what is not understood as a whole is left to
//! the looser reading, or refused.

mod amounts;
mod aside;
mod called;
mod compose;
mod done;
mod flows;
mod gist;
pub(super) mod granted;
pub(super) mod guard;
mod kept;
mod known;
mod rules;
mod scope;
mod simpler;
mod sketch;
mod stated;
mod told;
mod values;
mod words;
mod written;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::chunk::Chunker;
use super::lexicon::{Lexicon, word_bases};
use super::token::{Shape, Token};
use crate::hand::Hand;
use crate::meaning::{Case, Meaning, Place, Test, Verdict};
use known::Known;
use values::parameter::Parameter;

/// A part of a sentence that was understood.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part {
    /// It states this.
    Rules(Vec<(Verdict, Case)>),
    /// What of the rules before it is allowed nevertheless; none where it only says what no rule forbids.
    Permission(Vec<Vec<Test>>),
    /// It changes nothing.
    Aside(String),
}

/// What a clause states.
type Stated = Vec<(Verdict, Case)>;

/// What a sentence states.
pub(crate) type Rules = Stated;

impl Part {
    /// What it states.
    pub(crate) fn rules(&self) -> Option<&Rules> {
        match self {
            Part::Rules(rules) => Some(rules),
            Part::Permission(_) | Part::Aside(_) => None,
        }
    }
}

/// What a clause states by how often it was put more plainly.
type Answers = BTreeMap<usize, Option<Stated>>;

/// What clauses state by the tables of plain forms, late ones or others, and by how far they may be from them.
type Tabled = BTreeMap<(bool, u8), Known<Vec<Token>, Option<Stated>>>;

/// How often the parts of one rule are looked for, so that long ones end.
const FUEL: usize = 400;

/// Reads sentences of known builds.
pub(crate) struct Exact<'e> {
    pub(crate) lexicon: &'e Lexicon,
    pub(crate) hand: &'e Hand,
    /// The year that dates without one belong to.
    pub(crate) year: i16,
    /// The argument that the clause before spoke of.
    last: RefCell<Option<Parameter>>,
    /// An argument of which something is said that is not understood.
    half: RefCell<Option<String>>,
    /// How often the clause was put more plainly.
    depth: Cell<usize>,
    /// Whether the clause before said where branches come from.
    branches: Cell<bool>,
    /// What is done, by the words that say it, as far as it was looked for.
    events: RefCell<Known<String, Option<scope::Scope>>>,
    /// The acts that words name which were looked at before.
    acts: RefCell<Known<Vec<Token>, Option<Vec<String>>>>,
    /// What clauses state by the tables of plain forms, late ones or others.
    stated: RefCell<Tabled>,
    /// Whether the tools are at hand that an entry of these tables is about.
    at_hand: RefCell<Vec<Option<bool>>>,
    /// The ways to fill holes with the words of clauses.
    ways: RefCell<Known<Vec<Token>, Rc<stated::Ways>>>,
    /// What words may be forms of.
    bases: RefCell<Known<String, Rc<[String]>>>,
    /// The numbers of words in these tables.
    numbers: RefCell<Known<String, Rc<[u32]>>>,
    /// The parts of these tables that begin with the words of clauses.
    said: RefCell<Rc<stated::Said>>,
    /// The places that words name which were looked at before.
    named: RefCell<Known<Vec<Token>, Option<Vec<Place>>>>,
    /// How often more may be looked for.
    fuel: Cell<usize>,
    /// How many more clauses may be looked up in the tables of plain forms.
    clauses_left: Cell<usize>,
    /// How far a clause may be from a form of these tables.
    farthest: Cell<u8>,
    /// What clauses state that were looked at before, by how often they were put more plainly.
    clauses: RefCell<Known<Vec<Token>, Answers>>,
}

impl<'e> Exact<'e> {
    pub(crate) fn new(lexicon: &'e Lexicon, hand: &'e Hand, year: i16) -> Exact<'e> {
        Exact {
            lexicon,
            hand,
            year,
            last: RefCell::new(None),
            half: RefCell::new(None),
            depth: Cell::new(0),
            branches: Cell::new(false),
            events: RefCell::default(),
            acts: RefCell::default(),
            stated: RefCell::default(),
            at_hand: RefCell::default(),
            ways: RefCell::default(),
            bases: RefCell::default(),
            numbers: RefCell::default(),
            said: RefCell::default(),
            named: RefCell::default(),
            fuel: Cell::new(FUEL),
            clauses_left: Cell::new(stated::MOST_CLAUSES),
            farthest: Cell::new(0),
            clauses: RefCell::default(),
        }
    }

    /// What was understood in part only: a looser reading would make something else of it.
    pub(crate) fn half(&self) -> Option<String> {
        self.half.borrow_mut().take()
    }

    /// Whether a form took this word and what it states counts: forms that only fitted on the way take nothing.
    pub(crate) fn has_taken(&self, word: &str, meanings: &[Meaning]) -> bool {
        let counts = |own: &Case| {
            // Places are put otherwise where tools name them otherwise.
            let is_in =
                |case: &Case, test: &Test| matches!(test, Test::Place { .. }) || case.tests.contains(test);
            let mut cases = meanings.iter().flat_map(|meaning| &meaning.cases);
            cases.any(|case| {
                own.doings.iter().all(|doing| case.doings.contains(doing))
                    && own.tests.iter().all(|test| is_in(case, test))
            })
        };
        self.stated.borrow().values().flatten().any(|(tokens, rules)| {
            let stated = rules.as_ref().filter(|_| tokens.iter().any(|token| token.low == word));
            stated.is_some_and(|rules| rules.iter().all(|(_, case)| counts(case)))
        })
    }

    /// A word in lower case and what it may be a form of. The same words come back in every part of a sentence.
    fn bases_of(&self, word: &str) -> Rc<[String]> {
        if let Some(known) = self.bases.borrow().get(word) {
            return Rc::clone(known);
        }
        let bases: Rc<[String]> = word_bases(word).into();
        self.bases.borrow_mut().insert(word.to_owned(), Rc::clone(&bases));
        bases
    }

    fn chunker(&self) -> Chunker<'e> {
        Chunker { lexicon: self.lexicon, hand: self.hand, year: self.year }
    }

    /// The parts of a sentence, if each of them is understood, perhaps once it is clear what "it" stands for.
    pub(crate) fn sentence(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        let stated = self.stated_plainly(tokens).map(|rules| vec![Part::Rules(rules)]);
        stated.or_else(|| self.sketched(tokens)).or_else(|| self.parts(tokens, has_rules)).or_else(|| {
            let joints = joints(tokens);
            let after = |at: &usize| self.after(tokens.get(..*at)?, tokens.get(*at + 1..)?);
            joints
                .iter()
                .find_map(after)
                .or_else(|| joints.iter().find_map(|at| self.behind_talk(tokens, *at)))
        })
    }

    /// A rule behind something that is only told: "Guests are G1 and G2: their names are never written down."
    fn behind_talk(&self, tokens: &[Token], at: usize) -> Option<Vec<Part>> {
        let (told, rule) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        // "invitations go out silently, so ...": what leads to a rule may be told with any verb.
        let follows = words::strip(rule, &["so", "therefore", "hence", "thus"]);
        let rule = follows.unwrap_or(rule);
        let is_told = told.len() > 2
            && !sketch::rules(told)
            && !told
                .iter()
                .any(|token| matches!(token.low.as_str(), "mine" | "my" | "our" | "sacred" | "closed"))
            && (0..told.len()).all(|from| {
                told.get(from..).is_none_or(|rest| crate::english::when::read(rest, self.year).is_none())
            })
            && !self.lexicon.is_wish(told)
            && told.iter().all(|token| {
                matches!(token.shape, Shape::Word | Shape::Mark(_) | Shape::Identifier | Shape::Number)
            })
            && (follows.is_some()
                || told.iter().any(|token| {
                    matches!(token.low.as_str(), "is" | "are" | "has" | "have" | "was" | "comes" | "come")
                }));
        if !is_told || rule.len() < 3 {
            return None;
        }
        let mut parts = match self.parts(rule, false) {
            Some(parts) => parts,
            None => vec![Part::Rules(self.freely(rule)?)],
        };
        parts.push(Part::Aside(words::text(told)));
        Some(parts)
    }

    /// A sentence without what stands behind its rule and only says why, and these reasons.
    pub(crate) fn without_reasons<'t>(&self, tokens: &'t [Token]) -> (&'t [Token], Vec<String>) {
        let mut reasons = Vec::new();
        let mut rest = tokens;
        loop {
            let comma = rest.iter().rposition(|token| matches!(token.shape, Shape::Mark(',')));
            let Some(at) = comma.filter(|at| *at > 1) else { return (rest, reasons) };
            let (Some(before), Some(behind)) = (rest.get(..at), rest.get(at + 1..)) else {
                return (rest, reasons);
            };
            let is_open = before.iter().filter(|token| token.shape == Shape::Mark('(')).count()
                > before.iter().filter(|token| token.shape == Shape::Mark(')')).count();
            if is_open || behind.is_empty() || !(self.tells(behind) || is_repeated(before, behind)) {
                return (rest, reasons);
            }
            reasons.push(words::text(behind));
            rest = before;
        }
    }

    /// A rule behind a statement that says what it is about.
    pub(crate) fn after(&self, told: &[Token], rule: &[Token]) -> Option<Vec<Part>> {
        let rule = self.referred(told, rule)?;
        let mut parts = match self.parts(&rule, false) {
            Some(parts) => parts,
            None => vec![Part::Rules(self.freely(&rule)?)],
        };
        parts.push(Part::Aside(words::text(told)));
        Some(parts)
    }

    /// Several sentences that fit a form as one: "You may add lines to a.log; what is in there stays as it is."
    pub(crate) fn as_one(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let tokens = match tokens.split_last() {
            Some((last, rest)) if matches!(last.shape, Shape::Mark('.' | '!' | ';')) => rest,
            _ => tokens,
        };
        let parts = |token: &Token| matches!(token.shape, Shape::Mark('.' | ';' | '!'));
        if tokens.iter().filter(|token| parts(token)).count() != 1 {
            return None;
        }
        if let Some(parts) = self.sketched(tokens) {
            return Some(parts);
        }
        let comma = |token: &Token| match parts(token) {
            true => {
                Token { text: ",".to_owned(), low: ",".to_owned(), shape: Shape::Mark(','), at: token.at }
            }
            false => token.clone(),
        };
        let mut sides = tokens.split(parts);
        if let (Some(first), Some(second)) = (sides.next(), sides.next())
            && let Some(parts) = self.left_and_put(first, second)
        {
            return Some(parts);
        }
        let joined: Vec<Token> = tokens.iter().map(comma).collect();
        let core = words::core(&joined);
        let rules = self.turned(core).or_else(|| self.idioms(core)).or_else(|| self.secret_name(core));
        rules.map(|rules| vec![Part::Rules(rules)])
    }

    /// The parts of a sentence, if each of them is understood. Rules stand before it or not.
    fn parts(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        // "…, every result costs": why, whatever else the words could mean.
        let comma = tokens.iter().rposition(|token| token.shape == Shape::Mark(','));
        if let Some((rule, reason)) = comma.and_then(|at| Some((tokens.get(..at)?, tokens.get(at + 1..)?)))
            && aside::costs(reason)
        {
            let mut parts = self.parts(rule, has_rules)?;
            parts.push(Part::Aside(words::text(reason)));
            return Some(parts);
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = tokens;
        // "This is the live database: read only": what is told first is no rule.
        if let Some((told, _, rule)) = words::around(tokens, &[":"])
            && words::strip(told, &["this is", "it is", "it's", "that is", "that's"]).is_some()
            && let Some(mut parts) = self.parts(rule, has_rules)
        {
            parts.push(Part::Aside(words::text(told)));
            return Some(parts);
        }
        // "Files may be moved but not renamed" is one clause.
        if let Some(rules) = self.idioms(words::core(tokens)).or_else(|| self.clause(words::core(tokens))) {
            return Some(vec![Part::Rules(rules)]);
        }
        if let Some((allowed, denied)) = but_never(tokens) {
            parts.push(Part::Aside(words::text(allowed)));
            rest = denied;
        }
        while !rest.is_empty() {
            let has_rules = has_rules || parts.iter().any(|part| matches!(part, Part::Rules(_)));
            // "…, moving is fine as long as the name stays": no exception of what keeps names.
            if parts.last().is_some_and(keeps_names) && words::strip(rest, &["moving", "moves"]).is_some() {
                parts.push(Part::Aside(words::text(rest)));
                break;
            }
            let (part, length) = self.longest(rest, has_rules)?;
            parts.push(part);
            rest = rest.get(length..)?;
            while rest.first().is_some_and(is_joint) {
                rest = rest.get(1..)?;
            }
        }
        // A time that leads counts for everything behind it, which parts do not know of each other.
        let stating = parts.iter().filter(|part| matches!(part, Part::Rules(_))).count();
        if stating > 1 && crate::english::when::read(tokens, self.year).is_some() {
            return None;
        }
        let states = has_rules || parts.iter().any(|part| matches!(part, Part::Rules(_)));
        states.then_some(parts)
    }

    /// The longest stretch from the beginning that is understood, up to a joint.
    fn longest(&self, tokens: &[Token], has_rules: bool) -> Option<(Part, usize)> {
        if has_rules && aside::is_rest(words::core(tokens)) {
            return Some((Part::Aside(words::text(tokens)), tokens.len()));
        }
        let joints = joints(tokens);
        let stretch = |end: usize| tokens.get(..end);
        let rules = joints.iter().rev().find_map(|end| {
            let rules = self.clause(words::core(stretch(*end)?))?;
            Some((Part::Rules(rules), *end))
        });
        if rules.is_some() {
            return rules;
        }
        let permission = joints.iter().rev().find_map(|end| {
            let exceptions = self.permission(words::core(stretch(*end)?))?;
            (has_rules || exceptions.is_empty()).then_some((Part::Permission(exceptions), *end))
        });
        permission.or_else(|| {
            let end = joints
                .iter()
                .find(|end| stretch(**end).is_some_and(|part| self.is_aside(part, has_rules)))?;
            Some((Part::Aside(words::text(stretch(*end)?)), *end))
        })
    }

    /// What a clause states. Many readers ask for the same one.
    fn clause(&self, tokens: &[Token]) -> Option<Stated> {
        self.stated_once(tokens).filter(|rules| !rules.iter().all(|(_, case)| guard::excludes_itself(case)))
    }

    fn stated_once(&self, tokens: &[Token]) -> Option<Stated> {
        let depth = self.depth.get();
        // What was spoken of before changes what a clause means.
        let is_alone = || self.last.borrow().is_none() && !self.branches.get();
        if !is_alone() {
            return self.stated_by(tokens);
        }
        if let Some(known) = self.clauses.borrow().get(tokens).and_then(|known| known.get(&depth)) {
            return known.clone();
        }
        let found = self.stated_by(tokens);
        if is_alone() && self.half.borrow().is_none() {
            self.clauses.borrow_mut().entry(tokens.to_vec()).or_default().insert(depth, found.clone());
        }
        found
    }

    fn stated_by(&self, tokens: &[Token]) -> Option<Stated> {
        let is_column = |token: &Token| matches!(token.low.as_str(), "column" | "columns");
        // "The iban column is off limits in every query" is about no text.
        let columns = tokens.iter().any(is_column).then(|| self.columns(tokens)).flatten();
        self.stated_plainly(tokens)
            .or(columns)
            .or_else(|| self.unsaid(tokens))
            .or_else(|| self.put_into(tokens))
            .or_else(|| self.peculiar(tokens))
            .or_else(|| self.carried(tokens))
            .or_else(|| self.allowed_but(tokens))
            .or_else(|| self.acts(tokens))
            .or_else(|| self.kinds(tokens))
            .or_else(|| self.homes(tokens))
            .or_else(|| self.formats(tokens))
            .or_else(|| self.recency(tokens))
            .or_else(|| self.sort_only(tokens))
            .or_else(|| self.signs(tokens))
            .or_else(|| self.portions(tokens))
            .or_else(|| self.settled(tokens))
            .or_else(|| self.bounded(tokens))
            .or_else(|| self.counted(tokens))
            .or_else(|| self.idioms(tokens))
            .or_else(|| self.columns(tokens))
            .or_else(|| self.name_forms(tokens))
            .or_else(|| self.file_names(tokens))
            .or_else(|| self.named_anew(tokens))
            .or_else(|| self.duties(tokens))
            .or_else(|| self.arguments(tokens))
            .or_else(|| self.properties(tokens))
            .or_else(|| self.grants(tokens))
            .or_else(|| self.secrecy(tokens))
            .or_else(|| self.tickets(tokens))
            .or_else(|| self.contents(tokens))
            .or_else(|| self.unsaid_sorts(tokens))
            .or_else(|| self.untold(tokens))
            .or_else(|| self.texts(tokens))
            .or_else(|| self.not_a_word(tokens))
            .or_else(|| self.leaving(tokens))
            .or_else(|| self.whose(tokens))
            .or_else(|| self.told_programs(tokens))
            .or_else(|| self.chosen(tokens))
            .or_else(|| self.sql_words(tokens))
            .or_else(|| self.tables(tokens))
            .or_else(|| self.pairs(tokens))
            .or_else(|| self.addresses(tokens))
            .or_else(|| self.measured(tokens))
            .or_else(|| self.at_times(tokens))
            .or_else(|| self.entries(tokens))
            .or_else(|| self.turned(tokens))
            .or_else(|| self.explained(tokens))
    }

    /// "the history is never rewritten (no amend, no rebase)": what stands in brackets says the same or what of it.
    fn explained(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        let (front, inner) = words::bracketed(tokens)?;
        let denies = |first: &Token| matches!(first.low.as_str(), "no" | "never" | "don't" | "not");
        if self.depth.get() > 0 || front.is_empty() || !inner.first().is_some_and(denies) {
            return None;
        }
        let said = self.parts(inner, false)?;
        let mut rules: Vec<(Verdict, Case)> = said
            .into_iter()
            .flat_map(|part| match part {
                Part::Rules(rules) => rules,
                Part::Permission(_) | Part::Aside(_) => Vec::new(),
            })
            .collect();
        rules.extend(self.clause(front).unwrap_or_default());
        Some(rules)
    }
}

/// Whether a part is about nothing but other names.
fn keeps_names(part: &Part) -> bool {
    let renames = |case: &Case| case.doings == [crate::meaning::Doing::Did("rename".to_owned())];
    matches!(part, Part::Rules(rules) if rules.iter().all(|(_, case)| renames(case)))
}

/// Whether what stands behind a rule says once more what it says.
fn is_repeated(rule: &[Token], behind: &[Token]) -> bool {
    aside::adds_nothing(behind)
        && rule.iter().any(|token| matches!(token.low.as_str(), "only" | "max" | "most" | "more" | "than"))
}

/// "Fill the basket, but never press Order": what is allowed, and what stands behind it.
fn but_never(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let at = tokens.iter().position(|token| token.shape == Shape::Word && token.low == "but")?;
    let (before, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
    let is_denied = words::strip(
        behind,
        &["never", "don't", "do not", "you never", "you don't", "you do not", "not", "no"],
    )
    .is_some();
    let rules = |token: &Token| {
        matches!(
            token.low.as_str(),
            "never"
                | "no"
                | "not"
                | "don't"
                | "only"
                | "must"
                | "nothing"
                | "nobody"
                | "ask"
                | "anything"
                | "everything"
                | "anyone"
                | "anybody"
                | "all"
        )
    };
    let is_plain = before.iter().all(|token| matches!(token.shape, Shape::Word | Shape::Mark(',')));
    // "You can answer and label, but closing is mine": what is allowed is none of the rule's.
    let is_leave =
        words::strip(before, &["you can", "you may", "feel free to", "you are free to", "you're free to"]);
    let is_denied = is_denied || is_leave.is_some();
    (is_denied && is_plain && at > 1 && !before.iter().any(rules)).then_some((before, behind))
}

/// Where a stretch may end: at commas, colons and "but", and where something new begins behind "and"; at the end.
fn joints(tokens: &[Token]) -> Vec<usize> {
    let mut depth = 0usize;
    let mut joints = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.shape {
            Shape::Mark('(') => depth += 1,
            Shape::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = tokens.get(at + 1).map_or("", |next| next.low.as_str());
        let begins = token.low == "and"
            && matches!(
                next,
                "never"
                    | "no"
                    | "don't"
                    | "do"
                    | "only"
                    | "always"
                    | "must"
                    | "not"
                    | "keep"
                    | "nothing"
                    | "you"
                    | "they"
            );
        let reason = aside::REASONS.contains(&token.low.as_str());
        if at > 0 && depth == 0 && (is_joint(token) || begins || reason) {
            joints.push(at);
        }
    }
    joints.push(tokens.len());
    joints
}

fn is_joint(token: &Token) -> bool {
    matches!(token.shape, Shape::Mark(',' | ':')) || (token.shape == Shape::Word && token.low == "but")
}
