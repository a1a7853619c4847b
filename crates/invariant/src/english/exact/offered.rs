//! Rules about tools that list themselves, by their own words: the acts, things, arguments and values that a text names are
//! looked up among the names of tools, their arguments and the values that these take, whatever the server is.

mod bounds;
mod context;
mod finds;
mod forms;
mod paths;
mod pieces;
mod vocabulary;

use std::collections::BTreeSet;

use super::{Exact, Part};
use crate::english::token::Token;
use crate::hand::{Offer, Sort};
use crate::meaning::{Case, Check, Form, Presence, Test, Verdict};
use finds::{Finder, Finds, Valued};
use pieces::{Piece, Stance, pieces, says};
use vocabulary::Vocabulary;

/// Whoever states a rule is left out of it.
const MYSELF: &[&str] = &["but me", "but us", "except me", "except us", "than me", "than us", "but myself"];

type Rules = Vec<(Verdict, Case)>;

/// How sure a reading must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// Every word of what is ruled must be found.
    Whole,
    /// So much as names something is enough.
    Part,
}

impl Exact<'_> {
    /// Whether services are called by their names, as those of a house are.
    fn is_house(&self) -> bool {
        let arguments = self.hand.arguments_of(&[]);
        arguments.contains("domain") && arguments.contains("service")
    }

    /// A text of which every word is found among the tools that list themselves.
    pub(crate) fn offered(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        if !self.hand.is_own() || self.is_house() || self.span_in(tokens).is_some() {
            return None;
        }
        let parts = self.offered_with(tokens, Care::Whole)?;
        // Where commands are run, only what is said of other arguments is sure to be about tools.
        let has_value = |part: &Part| {
            let Part::Rules(rules) = part else { return false };
            let is_value = |test: &Test| matches!(test, Test::Value { .. } | Test::Any(_));
            rules.iter().all(|(_, case)| case.tests.iter().any(is_value))
        };
        (!self.hand.runs_commands() || parts.iter().all(has_value)).then_some(parts)
    }

    /// A text of which so much is found that it names something.
    pub(crate) fn offered_late(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        self.hand.offers().next()?;
        let Some((span, at, length)) = self.span_in(tokens) else {
            return self.offered_with(tokens, Care::Part);
        };
        let rest = tokens.iter().take(at).chain(tokens.iter().skip(at + length)).cloned().collect::<Vec<_>>();
        let mut parts = self.offered_with(&rest, Care::Part)?;
        for part in &mut parts {
            let Part::Rules(rules) = part else { continue };
            for (_, case) in rules {
                case.tests.push(Test::Time { spans: vec![span.clone()], is: true, of_event: false });
            }
        }
        Some(parts)
    }

    fn offered_with(&self, tokens: &[Token], care: Care) -> Option<Vec<Part>> {
        let finder = Finder { hand: self.hand, words: Vocabulary::built_in() };
        let put = finder.words.put(tokens);
        let pieces = pieces(&put);
        let mut found: Vec<(Piece<'_>, Finds)> =
            pieces.into_iter().map(|piece| (piece, finder.finds(piece.tokens))).collect();
        if !bounds::compares(&put) {
            finder.numbers_as_names(&mut found);
        }
        finder.names_of_holders(&mut found);
        let reader = Reader { finder, found, care };
        let rules = reader.rules()?;
        Some(vec![Part::Rules(rules)])
    }
}

/// Puts what was found together.
struct Reader<'r> {
    finder: Finder<'r>,
    found: Vec<(Piece<'r>, Finds)>,
    care: Care,
}

/// The tools that are meant.
struct Meant<'m> {
    tools: Vec<&'m Offer>,
    /// Whether words say which tools are meant.
    is_said: bool,
}

impl Reader<'_> {
    fn rules(&self) -> Option<Rules> {
        let is_aside = |piece: &Piece<'_>| piece.stance == Stance::Allow && piece.has(&["outside"]);
        if self.found.iter().any(|(piece, finds)| finds.is_foreign || is_aside(piece)) {
            return None;
        }
        if self.passes_requests() {
            return self.requested();
        }
        if self.found.iter().any(|(_, finds)| !finds.numbers.is_empty()) {
            return self.bounded();
        }
        let mut rules = Rules::new();
        for (number, (piece, finds)) in self.found.iter().enumerate() {
            if matches!(piece.stance, Stance::Told | Stance::Allow) {
                continue;
            }
            let whole = self.filled(number, piece, finds);
            let is_full = (!whole.acts.is_empty() || !whole.verbs.is_empty())
                && (!whole.things.is_empty() || !whole.values.is_empty());
            if piece.stance == Stance::Always && !whole.strange.is_empty() {
                continue;
            }
            if piece.stance == Stance::Only
                && finds.is_empty()
                && self.found.iter().any(|(other, _)| other.is_label)
            {
                return None;
            }
            // "they cost an hour each" asks for nothing.
            let is_ruling = piece.stance != Stance::Always;
            if self.care == Care::Whole && whole.strange.len() > usize::from(is_full) {
                if is_ruling {
                    return None;
                }
                continue;
            }
            match self.ruled(piece, &whole) {
                Some(own) => rules.extend(own),
                None if self.care == Care::Whole && is_ruling && !finds.is_empty() => return None,
                None => {}
            }
        }
        self.drop_wider(&mut rules);
        (!rules.is_empty()).then_some(rules)
    }

    /// "only numbers with +47, no calls abroad": what says the same without naming it is left out.
    fn drop_wider(&self, rules: &mut Rules) {
        let tools = |case: &Case| match case.tests.first() {
            Some(Test::Tool { names, .. }) => names.clone(),
            _ => Vec::new(),
        };
        let is_bare = |case: &Case| case.tests.len() == 1;
        let named: BTreeSet<String> =
            rules.iter().filter(|(_, case)| !is_bare(case)).flat_map(|(_, case)| tools(case)).collect();
        if self.found.iter().any(|(piece, _)| matches!(piece.stance, Stance::Only | Stance::Always)) {
            rules.retain(|(_, case)| !is_bare(case) || !tools(case).iter().all(|tool| named.contains(tool)));
        }
    }

    fn ruled(&self, piece: &Piece<'_>, finds: &Finds) -> Option<Rules> {
        match piece.stance {
            Stance::Deny => self.denied(piece, finds),
            // "full access is for nobody but me"
            Stance::Only
                if !finds.values.iter().any(|valued| valued.forms.contains(&Form::Is("me".to_owned())))
                    && MYSELF.iter().any(|phrase| says(piece.tokens, phrase))
                    && !finds.values.is_empty() =>
            {
                self.denied(piece, finds)
            }
            Stance::Only | Stance::Always => self.sole(piece, finds),
            Stance::Allow | Stance::Told => None,
        }
    }

    /// Nothing of this is done.
    fn denied(&self, piece: &Piece<'_>, finds: &Finds) -> Option<Rules> {
        if !finds.vague.is_empty()
            && finds.values.is_empty()
            && finds.slots.is_empty()
            && self.care == Care::Whole
        {
            return None;
        }
        let meant = self.meant(piece, finds)?;
        let mut tests = Vec::new();
        let mut is_named = meant.is_said;
        for names in finds.slots.iter().filter(|_| finds.values.is_empty()) {
            if let Some(given) = self.given(&meant.tools, &self.telling(names, finds)) {
                is_named = true;
                tests.push(given);
            }
        }
        let is_loose = finds.values.iter().all(|valued| valued.names.is_empty());
        if self.care == Care::Whole
            && is_loose
            && !finds.values.is_empty()
            && !finds.names_tools()
            && !finds.is_broad
        {
            return None;
        }
        let slots: Vec<String> = finds.slots.iter().flat_map(|names| self.telling(names, finds)).collect();
        let allowed: Vec<&String> = self
            .found
            .iter()
            .filter(|(other, _)| other.stance == Stance::Allow)
            .flat_map(|(_, other)| &other.acts)
            .collect();
        // "due dates stay as they are": whatever is new has none yet.
        let is_new = |offer: &&Offer| !tests.is_empty() && self.finder.does(offer, "create");
        let is_allowed = |offer: &&Offer| allowed.iter().any(|act| self.finder.does(offer, act));
        let meant: Vec<&Offer> = meant
            .tools
            .into_iter()
            .filter(|offer| !finds.is_broad || !is_new(offer) && !is_allowed(offer))
            .collect();
        let (copying, others): (Vec<&Offer>, Vec<&Offer>) =
            meant.into_iter().partition(|offer| finds.is_broad && self.finder.does(offer, "copy"));
        let mut rules = Rules::new();
        for (tools, is_copied) in [(others, false), (copying, true)] {
            // Values of one argument are alternatives, those of several are all meant.
            let mut groups: Vec<Valued> = Vec::new();
            for valued in &finds.values {
                let names = self.taking(&tools, valued, &slots, is_copied);
                match groups.iter_mut().find(|group| group.names == names) {
                    Some(group) => group.forms.extend(valued.forms.iter().cloned()),
                    None => groups.push(Valued { names, ..valued.clone() }),
                }
            }
            let values: Vec<Test> = groups.iter().filter_map(|group| self.holds(group)).collect();
            let names: Vec<String> = tools.iter().map(|offer| offer.tool.clone()).collect();
            if names.is_empty() || values.len() < groups.len() || !(is_named || !values.is_empty()) {
                continue;
            }
            let mut all = vec![Test::Tool { names, is: true }];
            all.extend(tests.iter().cloned());
            all.extend(values);
            rules.push((Verdict::Deny, Case { tests: all, ..Case::default() }));
        }
        (!rules.is_empty()).then_some(rules)
    }

    /// The arguments that take a value: where things are copied to, as opposed to where they are copied from.
    fn taking(&self, tools: &[&Offer], valued: &Valued, slots: &[String], is_copied: bool) -> Vec<String> {
        let has = |name: &String| tools.iter().any(|offer| offer.argument(name).is_some());
        let own: Vec<String> = valued.names.iter().filter(|name| has(name)).cloned().collect();
        let named: Vec<String> = slots.iter().filter(|name| has(name)).cloned().collect();
        let mut names = match (own.is_empty(), named.is_empty() || !valued.names.is_empty()) {
            (false, _) => own,
            (true, false) => named,
            (true, true) => self.texts(tools),
        };
        if is_copied {
            names.retain(|name| {
                matches!(name.split(' ').next(), Some("to" | "target" | "destination" | "dest"))
            });
        }
        names
    }

    /// The arguments that say more than which thing is meant.
    fn telling(&self, names: &[String], finds: &Finds) -> Vec<String> {
        let tells = |name: &&String| {
            let mut words = name.split(' ');
            let last = words.clone().next_back().unwrap_or_default();
            last != "id"
                && !(matches!(last, "key" | "name" | "gid" | "iid" | "slug") || words.clone().count() == 1)
                || last != "id"
                    && !words
                        .any(|word| finds.things.iter().any(|thing| self.finder.words.is_same(thing, word)))
        };
        names.iter().filter(tells).cloned().collect()
    }

    /// An argument that is given, or a flag that is set.
    fn given(&self, tools: &[&Offer], names: &[String]) -> Option<Test> {
        let arguments = tools.iter().flat_map(|offer| &offer.arguments);
        let own: Vec<_> = arguments.filter(|argument| names.contains(&argument.name)).collect();
        let first = own.first().filter(|argument| argument.values.is_empty())?;
        let check = match first.sort {
            Sort::Flag => Check::Forms(vec![Form::Is("true".to_owned())]),
            _ => Check::Anything,
        };
        let names: BTreeSet<String> = own.iter().map(|argument| argument.name.clone()).collect();
        Some(Test::Value { names: names.into_iter().collect(), check, presence: Presence::One })
    }

    /// Nothing but this is done.
    fn sole(&self, piece: &Piece<'_>, finds: &Finds) -> Option<Rules> {
        let all: Vec<&Offer> = self.finder.hand.offers().collect();
        let (mut names, check, presence) = self.wanted(piece, finds)?;
        let takes = |offer: &&Offer| {
            names.is_empty() || offer.arguments.iter().any(|argument| names.contains(&argument.name))
        };
        let mut tools: Vec<&Offer> = all.into_iter().filter(takes).collect();
        if finds.names_tools() && !finds.uses {
            let own: Vec<&Offer> = self.selected(&tools, finds, true);
            if own.is_empty() && self.care == Care::Whole {
                return None;
            }
            if !own.is_empty() {
                tools = own;
            }
        }
        let looks = finds.acts.contains("read") || finds.acts.contains("query");
        if presence == Presence::Missing && finds.names_tools() && !finds.uses && !looks {
            tools.retain(|offer| !self.finder.is_reading(offer));
        }
        // "every task has a due date": what is made has it, as opposed to what is changed.
        if presence == Presence::Missing && tools.iter().any(|offer| self.finder.does(offer, "create")) {
            tools.retain(|offer| self.finder.does(offer, "create"));
        }
        let arguments = self.finder.hand.arguments_of(&[]);
        if names.is_empty() && arguments.contains("domain") && arguments.contains("service") {
            return None;
        }
        if names.is_empty() {
            names = self.texts(&tools);
            if finds.values.iter().any(|valued| valued.is_path) {
                names.retain(|name| name.split(' ').any(is_place));
                tools.retain(|offer| offer.arguments.iter().any(|argument| names.contains(&argument.name)));
            }
        }
        let tool_names: Vec<String> = tools.iter().map(|offer| offer.tool.clone()).collect();
        if tool_names.is_empty() || names.is_empty() {
            return None;
        }
        let tests = vec![Test::Tool { names: tool_names, is: true }, Test::Value { names, check, presence }];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// What an argument must be: its names, what is wanted, and what breaks it.
    fn wanted(&self, piece: &Piece<'_>, finds: &Finds) -> Option<(Vec<String>, Check, Presence)> {
        let mut names: Vec<String> = Vec::new();
        let mut forms: Vec<Form> = Vec::new();
        for valued in &finds.values {
            if !names.is_empty()
                && !valued.names.is_empty()
                && !valued.names.iter().any(|name| names.contains(name))
            {
                return None;
            }
            names.extend(
                valued.names.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>(),
            );
            forms.extend(valued.forms.iter().cloned());
        }
        let is_mixed = |valued: &Valued| valued.names.is_empty() != names.is_empty();
        if finds.values.iter().any(is_mixed) {
            return None;
        }
        let slots: Vec<String> = finds.slots.iter().flat_map(|names| self.telling(names, finds)).collect();
        let is_flag = |name: &String| {
            let mut arguments = self.finder.hand.offers().flat_map(|offer| &offer.arguments);
            arguments.any(|argument| argument.name == *name && argument.sort == Sort::Flag)
        };
        if !forms.is_empty() {
            if names.is_empty() {
                names = slots.into_iter().filter(|name| !is_flag(name)).collect();
            }
            let presence = if names.is_empty() { Presence::Missing } else { Presence::Other };
            return Some((names, Check::Forms(forms), presence));
        }
        let flags: Vec<String> = slots.iter().filter(|name| is_flag(name)).cloned().collect();
        if !flags.is_empty() {
            let is_set = Check::Forms(vec![Form::Is("true".to_owned())]);
            return Some((flags, is_set, Presence::Missing));
        }
        if slots.is_empty() {
            return None;
        }
        if piece.has(&["me", "i", "myself"]) && piece.stance == Stance::Only {
            let mine = ["me", "@me", "self"].map(|word| Form::Is(word.to_owned()));
            return Some((slots, Check::Forms(mine.to_vec()), Presence::Other));
        }
        (piece.stance == Stance::Always).then_some((slots, Check::Anything, Presence::Missing))
    }

    /// The test that an argument has a value.
    fn holds(&self, valued: &Valued) -> Option<Test> {
        let check = Check::Forms(valued.forms.clone());
        (!valued.names.is_empty()).then(|| Test::Value {
            names: valued.names.clone(),
            check,
            presence: Presence::One,
        })
    }

    fn is_free(&self, name: &str) -> bool {
        self.finder.words.is("free", name)
            || name.rsplit(' ').next().is_some_and(|last| self.finder.words.is("free", last))
    }

    /// Arguments that take names, as opposed to texts of many words.
    fn texts(&self, tools: &[&Offer]) -> Vec<String> {
        let arguments = tools.iter().flat_map(|offer| &offer.arguments);
        let own = arguments.filter(|argument| argument.sort == Sort::Text && !self.is_free(&argument.name));
        let names: BTreeSet<String> = own.map(|argument| argument.name.clone()).collect();
        names.into_iter().collect()
    }

    /// Which tools a piece speaks of.
    fn meant(&self, piece: &Piece<'_>, finds: &Finds) -> Option<Meant<'_>> {
        const SHUT: &[&str] = &["stay out", "stay away", "keep out", "keep away", "stay off"];
        let all: Vec<&Offer> = self.finder.hand.offers().collect();
        let looks =
            finds.uses || finds.acts.contains("read") || SHUT.iter().any(|phrase| says(piece.tokens, phrase));
        let mut tools: Vec<&Offer> =
            all.into_iter().filter(|offer| looks || !self.finder.is_reading(offer)).collect();
        let mut is_said = false;
        if finds.names_tools() {
            let own = self.selected(&tools, finds, false);
            if own.is_empty() {
                return None;
            }
            let is_bare =
                finds.acts.is_empty() && finds.verbs.is_empty() && !finds.is_broad && finds.tools.is_empty();
            let own = if is_bare { self.without_undoing(own) } else { own };
            is_said = own.len() < tools.len()
                || !finds.acts.is_empty()
                || !finds.verbs.is_empty()
                || !finds.things.is_empty();
            tools = own;
        }
        let names: Vec<&String> = finds.values.iter().flat_map(|valued| &valued.names).collect();
        if !names.is_empty() {
            let takes =
                |offer: &&Offer| offer.arguments.iter().any(|argument| names.contains(&&argument.name));
            if tools.iter().any(|offer| takes(offer)) {
                tools.retain(takes);
            }
        }
        Some(Meant { tools, is_said })
    }

    /// Without the tools that take something away: "no access keys" is against new ones.
    fn without_undoing<'o>(&self, tools: Vec<&'o Offer>) -> Vec<&'o Offer> {
        const UNDOING: &[&str] = &["delete", "revoke", "cancel", "unmute", "deactivate", "stop"];
        let undoes = |offer: &&Offer| UNDOING.iter().any(|act| self.finder.does(offer, act));
        let kept: Vec<&'o Offer> = tools.iter().filter(|offer| !undoes(offer)).copied().collect();
        if kept.is_empty() { tools } else { kept }
    }

    /// The tools that do what is named to what is named.
    fn selected<'o>(&self, tools: &[&'o Offer], finds: &Finds, is_free: bool) -> Vec<&'o Offer> {
        let does = |offer: &&&Offer| {
            finds.acts.iter().any(|act| self.finder.does(offer, act))
                || self.finder.verbs(offer).iter().any(|verb| finds.verbs.contains(*verb))
                || offer.words.first().is_some_and(|word| finds.verbs.contains(word))
        };
        if !finds.tools.is_empty() {
            return tools.iter().filter(|offer| finds.tools.contains(&offer.tool)).copied().collect();
        }
        let has_acts = !finds.acts.is_empty() || !finds.verbs.is_empty();
        let mut own: Vec<&'o Offer> = tools.to_vec();
        if has_acts && !finds.is_broad {
            own = own.iter().filter(does).copied().collect();
        }
        if finds.things.is_empty() {
            return own;
        }
        let count =
            |offer: &&Offer| finds.things.iter().filter(|thing| self.finder.is_of(offer, thing)).count();
        let most = own.iter().map(|offer| count(offer)).max().unwrap_or(0);
        // "no access keys are handed out": what is given is made first.
        if most == 0 && finds.acts.contains("grant") {
            let makes = |offer: &&&Offer| self.finder.does(offer, "create") && count(offer) > 0;
            return tools.iter().filter(makes).copied().collect();
        }
        if most == 0 {
            let is_about = |offer: &&&Offer| {
                finds.things.iter().any(|thing| {
                    offer.described.contains(thing)
                        || offer
                            .arguments
                            .iter()
                            .any(|argument| argument.name.split(' ').any(|word| word == thing))
                })
            };
            let described: Vec<&'o Offer> = own.iter().filter(is_about).copied().collect();
            return if described.is_empty() && is_free { own } else { described };
        }
        own.retain(|offer| count(offer) == most);
        own
    }
}

/// Whether a word of an argument's name says that it takes a path.
fn is_place(word: &str) -> bool {
    matches!(word, "path" | "directory" | "dir" | "folder" | "file" | "filepath" | "dirpath" | "destination")
}
