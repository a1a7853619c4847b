//! Repositories and what is in them, as the tools at hand show them: a local repository is a folder, a file on a host of
//! repositories is a part of one, and what is cloned is a repository, whatever page shows it.

use crate::hand::Hand;
use crate::meaning::{Case, Check, Deed, Doing, Form, Meaning, Place, Presence, Side, Test};

/// Hosts of repositories, whose pages are repositories and their owners.
const HOSTS: &[&str] = &["https://github.com/", "https://gitlab.com/", "https://bitbucket.org/"];

/// Puts into rules what calls show of repositories.
pub(super) fn put(meanings: &mut [Meaning], hand: &Hand) {
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases) {
        in_folders(case, hand);
        on_hosts(case, hand);
        cloned(case);
    }
}

/// Where repositories are folders, one that is told by its path is a place, and any other is what git works in.
fn in_folders(case: &mut Case, hand: &Hand) {
    let is_local = hand.has_server("git") && !hand.has_tool_word("repository");
    let is_repository = |test: &Test| matches!(test, Test::Place { places, inside: true, .. } if places == &[Place::Kind("repository".to_owned())]);
    if !is_local || !case.tests.iter().any(is_repository) {
        return;
    }
    case.tests.retain(|test| !is_repository(test));
    case.tests.insert(0, Test::Tool { names: vec!["git".to_owned()], is: true });
    for test in &mut case.tests {
        if let Test::Place { places, .. } = test {
            places.iter_mut().for_each(foldered);
        }
    }
}

fn foldered(place: &mut Place) {
    if let Place::Id(path) = place
        && path.starts_with('/')
    {
        *place = Place::Path(path.trim_end_matches('/').to_owned());
    }
}

/// Where no file is on this machine, files are parts of repositories.
fn on_hosts(case: &mut Case, hand: &Hand) {
    let has_files = hand.has_tool_about(&["push".to_owned(), "file".to_owned()])
        || hand.has_tool_about(&["file".to_owned(), "content".to_owned()]);
    let is_deed = |doing: &Doing| {
        matches!(
            doing,
            Doing::Deed(Deed::Reads | Deed::Writes | Deed::Changes | Deed::Deletes | Deed::Involves)
        )
    };
    if hand.has_local_files() || !has_files || case.doings.is_empty() || !case.doings.iter().all(is_deed) {
        return;
    }
    let mut is_put = false;
    for test in &mut case.tests {
        if let Test::Place { side: Side::Object, places, inside: true } = test
            && *places == [Place::Kind("file".to_owned())]
        {
            *places = vec![Place::Kind("repository".to_owned())];
            is_put = true;
        }
    }
    if is_put {
        case.tests.iter_mut().for_each(stated);
        if case.doings == [Doing::Deed(Deed::Reads)] {
            case.tests.iter_mut().for_each(read_from);
        }
        let nouns = vec!["file".to_owned(), "content".to_owned()];
        case.tests.push(Test::About { nouns, is: true });
    }
}

/// "only change .md files": the branch that changes with a file has another name, so that the argument tells it.
fn stated(test: &mut Test) {
    let Test::Place { side: Side::Object, places, inside: false } = test else { return };
    let is_within = |place: &Place| matches!(place, Place::Within(_));
    let has_within = places.iter().any(is_within);
    let forms = |place: &Place| match place {
        Place::Named(glob) => {
            Some(vec![Form::Is(if glob.starts_with('*') { glob.clone() } else { format!("*{glob}") })])
        }
        Place::Ending(end) => Some(vec![Form::Is(format!("*.{}", end.trim_start_matches('.')))]),
        Place::Within(path) => Some(vec![Form::Is(path.clone()), Form::Is(format!("{path}/*"))]),
        // The same as it would be on this machine.
        Place::Path(_) if has_within => Some(Vec::new()),
        _ => None,
    };
    if let Some(forms) = places.iter().map(forms).collect::<Option<Vec<Vec<Form>>>>() {
        let forms = forms.concat();
        let names = vec!["path".to_owned()];
        *test = Test::Value { names, check: Check::Forms(forms), presence: Presence::Other };
    }
}

/// "only read from the branch stable": what is read says its branch in an argument.
fn read_from(test: &mut Test) {
    if let Test::Branch { patterns, is } = test {
        let forms = patterns.iter().cloned().map(Form::Is).collect();
        let presence = if *is { Presence::One } else { Presence::Missing };
        *test = Test::Value { names: vec!["branch".to_owned()], check: Check::Forms(forms), presence };
    }
}

/// "only clone from github.com/acme": calls show the repository and not its page.
fn cloned(case: &mut Case) {
    if case.doings != [Doing::Did("clone".to_owned())] {
        return;
    }
    for test in &mut case.tests {
        let Test::Place { places, .. } = test else { continue };
        for place in places {
            match place {
                Place::Kind(kind) if kind == "page" => *place = Place::Kind("repository".to_owned()),
                Place::Page(page) => {
                    if let Some(path) = HOSTS.iter().find_map(|host| page.strip_prefix(host)) {
                        *place = Place::Id(path.trim_end_matches('/').trim_end_matches(".git").to_owned());
                    }
                }
                _ => {}
            }
        }
    }
}
