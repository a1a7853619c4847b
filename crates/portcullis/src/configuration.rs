//! `portcullis.toml`: settings of the fleet, which count for every user of the machine; of the user; and of a project, which may
//! only make it stricter. What one level states, no other takes back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use portcullis_gateway::{Asking, ToolPolicy};
use portcullis_identity::state::{Cosmetic, Unverified};
use portcullis_invariant::english::{named_among, plain_name};
use portcullis_invariant::{Hand, Stated};
use portcullis_model::Settings;
use portcullis_perceive::layout::Layout;
use portcullis_store::Durability;
use serde::Deserialize;

use crate::places::{PROJECT_FOLDER, Places, SETTINGS_FILE};
use crate::servers::ServerPart;

/// What a user may set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Configuration {
    /// Rules in plain English.
    pub(crate) invariants: Vec<String>,
    /// How sessions lie.
    pub(crate) session: SessionPart,
    /// How the user is asked.
    pub(crate) asking: AskingPart,
    /// What is kept.
    pub(crate) audit: AuditPart,
    /// What happens to tools that nobody has approved.
    pub(crate) tools: ToolsPart,
    /// Whose word counts for tools, beside what was said by command.
    trust: TrustPart,
    /// Servers that `serve` guards, by name.
    pub(crate) servers: BTreeMap<String, ServerPart>,
    /// A language model that may be asked for proposals, never on the path of a call.
    pub(crate) model: Settings,
}

/// How sessions lie, beyond what is known anyway.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SessionPart {
    internal: Vec<String>,
    external: Vec<String>,
    sensitive: Vec<String>,
    targets: Vec<String>,
    /// What things with ids are called in rules.
    names: BTreeMap<String, String>,
}

/// How the user is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AskingPart {
    channel: Channel,
    /// Seconds that a call waits for an answer.
    wait: u32,
    /// Minutes for which a question can be answered.
    open: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Channel {
    Host,
    Terminal,
}

/// What happens to tools that are not as they were approved. Of fleet, user and project the strictest counts.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ToolsPart {
    /// To those that nobody approved.
    unverified: Option<Unverified>,
    /// To those of which only the spelling changed.
    cosmetic: Option<Cosmetic>,
}

/// Whose word counts for tools. A project states nothing of it, for it widens.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TrustPart {
    bundles: Vec<StatedBundle>,
}

/// A trust bundle that is taken at the start of a gateway, as if it had been added by command.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatedBundle {
    /// What it is called.
    pub(crate) name: String,
    /// A file or an address.
    pub(crate) source: String,
    /// The file of the public key that it has to be signed with.
    pub(crate) root: PathBuf,
}

/// What is kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AuditPart {
    /// Arguments as they are, and not as keyed hashes.
    pub(crate) keep_arguments: bool,
    survives: Survives,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Survives {
    /// The end of the process, however sudden.
    #[default]
    Crash,
    /// A loss of power too.
    Power,
}

/// What whoever runs the machine may set for all of its users.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Fleet {
    invariants: Vec<String>,
    session: FleetSession,
    tools: ToolsPart,
    trust: TrustPart,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FleetSession {
    internal: Vec<String>,
    external: Vec<String>,
    sensitive: Vec<String>,
    names: BTreeMap<String, String>,
}

/// Who states a rule in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Whoever runs the machine.
    Fleet,
    /// The user.
    User,
    /// The project that is worked in.
    Project,
}

/// A rule in plain English, as a file states it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sentence {
    /// Whose file it is.
    pub(crate) level: Level,
    /// Which file.
    pub(crate) file: PathBuf,
    /// The rule.
    pub(crate) text: String,
}

/// What a project may set: only what makes it stricter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Project {
    invariants: Vec<String>,
    session: ProjectSession,
    tools: ToolsPart,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProjectSession {
    external: Vec<String>,
    sensitive: Vec<String>,
}

/// The strictest of what fleet and user set, or the default where neither does; a project may only be stricter than that.
fn strictest(set: &[ToolsPart], project: ToolsPart) -> ToolPolicy {
    let unverified = set.iter().filter_map(|part| part.unverified).max().unwrap_or_default();
    let cosmetic = set.iter().filter_map(|part| part.cosmetic).max().unwrap_or_default();
    ToolPolicy {
        unverified: project.unverified.map_or(unverified, |wanted| wanted.max(unverified)),
        cosmetic: project.cosmetic.map_or(cosmetic, |wanted| wanted.max(cosmetic)),
    }
}

impl Default for AskingPart {
    fn default() -> AskingPart {
        // Hosts give up on a call after a minute.
        AskingPart { channel: Channel::Host, wait: 50, open: 30 }
    }
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigurationError {
    #[error("cannot read `{}`: {error}", .path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("`{}` cannot be understood:\n{error}", .path.display())]
    Form { path: PathBuf, error: Box<toml::de::Error> },
    #[error(
        "`{}` cannot be understood:\n{error}\na project may only state `invariants`, `external` and `sensitive` names of its \
         `session`, and stricter `tools`: what widens anything belongs into your own settings",
        .path.display()
    )]
    Project { path: PathBuf, error: Box<toml::de::Error> },
    #[error(
        "`{}` names the trust bundle `{name}` with `{place}`: a whole path is needed, or one that begins with `~/`; else the folder \
         that is worked in would decide what is read", .path.display()
    )]
    Bundle { path: PathBuf, name: String, place: String },
    #[error("`{}` states a rule that is not understood: “{sentence}”\n{error}", .path.display())]
    Sentence { path: PathBuf, sentence: String, error: String },
}

/// Settings of fleet, user and project together.
pub(crate) struct Configured {
    /// The user's.
    pub(crate) user: Configuration,
    /// Rules in plain English, those of the fleet first.
    pub(crate) sentences: Vec<Sentence>,
    internal: Vec<String>,
    external: Vec<String>,
    sensitive: Vec<String>,
    names: BTreeMap<String, String>,
    tools: ToolPolicy,
    bundles: Vec<StatedBundle>,
}

impl Configured {
    /// Reads the settings of fleet, user and project, where there are any.
    pub(crate) fn read(places: &Places, workspace: &Path) -> Result<Configured, ConfigurationError> {
        let of_fleet = places.fleet_file();
        let of_user = places.settings_file();
        let of_project = workspace.join(PROJECT_FOLDER).join(SETTINGS_FILE);
        let fleet: Fleet = settings(&of_fleet, |path, error| ConfigurationError::Form { path, error })?;
        let user: Configuration = settings(&of_user, |path, error| ConfigurationError::Form { path, error })?;
        let project: Project =
            settings(&of_project, |path, error| ConfigurationError::Project { path, error })?;
        let stated = [
            (Level::Fleet, of_fleet, fleet.invariants),
            (Level::User, of_user, user.invariants.clone()),
            (Level::Project, of_project, project.invariants),
        ];
        let bundles = [
            whole(&places.fleet_file(), fleet.trust.bundles)?,
            whole(&places.settings_file(), user.trust.bundles.clone())?,
        ];
        let sentences = stated.into_iter().flat_map(|(level, file, texts)| {
            texts.into_iter().map(move |text| Sentence { level, file: file.clone(), text })
        });
        Ok(Configured {
            sentences: sentences.collect(),
            internal: fleet.session.internal,
            external: [fleet.session.external, project.session.external].concat(),
            sensitive: [fleet.session.sensitive, project.session.sensitive].concat(),
            names: fleet.session.names,
            tools: strictest(&[fleet.tools, user.tools], project.tools),
            bundles: bundles.concat(),
            user,
        })
    }

    /// What happens to tools that are not as they were approved.
    pub(crate) fn tools(&self) -> ToolPolicy {
        self.tools
    }

    /// Trust bundles that are taken without being asked, those of the fleet first.
    pub(crate) fn bundles(&self) -> &[StatedBundle] {
        &self.bundles
    }

    /// Adds what is set about sessions.
    pub(crate) fn lay_out(&self, layout: &mut Layout) {
        layout.internal.extend(self.internal.iter().chain(&self.user.session.internal).cloned());
        layout.targets.extend(self.user.session.targets.iter().cloned());
        layout.external.extend(self.user.session.external.iter().chain(&self.external).cloned());
        layout.sensitive.extend(self.user.session.sensitive.iter().chain(&self.sensitive).cloned());
        // What the fleet calls something stays so: its rules speak of it.
        let names = self.user.session.names.iter().chain(&self.names);
        layout.names.extend(names.filter_map(|(name, id)| Some((plain_name(name)?, id.clone()))));
        // What one rule explains, "#deliveries (C0DELIV22)", the others may use; those of a project explain nothing, for they could
        // turn the others to other things.
        let own = self.sentences.iter().filter(|sentence| sentence.level != Level::Project);
        for (name, id) in named_among(own.map(|sentence| sentence.text.as_str())) {
            layout.names.entry(name).or_insert(id);
        }
    }

    /// The stated rules, understood with the tools at hand. One that is not understood is an error: it would not be
    /// enforced.
    pub(crate) fn stated(&self, hand: &Hand, year: i16) -> Result<Vec<Stated>, ConfigurationError> {
        let read = |(number, Sentence { file, text, .. }): (usize, &Sentence)| {
            Stated::read(text, hand, year, number).map_err(|error| ConfigurationError::Sentence {
                path: file.clone(),
                sentence: text.clone(),
                error: error.to_string(),
            })
        };
        self.sentences.iter().enumerate().map(read).collect()
    }

    /// How the user is asked.
    pub(crate) fn asking(&self) -> Asking {
        match self.user.asking.channel {
            Channel::Host => Asking::HostFirst,
            Channel::Terminal => Asking::TerminalOnly,
        }
    }

    /// How long a call waits for an answer.
    pub(crate) fn patience(&self) -> SignedDuration {
        SignedDuration::from_secs(i64::from(self.user.asking.wait))
    }

    /// How long a question can be answered.
    pub(crate) fn question_life(&self) -> SignedDuration {
        SignedDuration::from_mins(i64::from(self.user.asking.open))
    }

    /// What a recorded decision survives.
    pub(crate) fn durability(&self) -> Durability {
        match self.user.audit.survives {
            Survives::Crash => Durability::Process,
            Survives::Power => Durability::Power,
        }
    }
}

/// Trust bundles with whole paths, whatever folder is worked in.
fn whole(file: &Path, bundles: Vec<StatedBundle>) -> Result<Vec<StatedBundle>, ConfigurationError> {
    let whole_path = |name: &str, place: &str| {
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let path = match (place.strip_prefix("~/"), home) {
            (Some(below), Some(home)) => home.join(below),
            _ => PathBuf::from(place),
        };
        let wrong = || ConfigurationError::Bundle {
            path: file.to_owned(),
            name: name.to_owned(),
            place: place.to_owned(),
        };
        if path.is_absolute() { Ok(path) } else { Err(wrong()) }
    };
    let whole = |bundle: StatedBundle| {
        let root = whole_path(&bundle.name, &bundle.root.to_string_lossy())?;
        let source = match bundle.source.contains("://") {
            true => bundle.source,
            false => whole_path(&bundle.name, &bundle.source)?.to_string_lossy().into_owned(),
        };
        Ok(StatedBundle { name: bundle.name, source, root })
    };
    bundles.into_iter().map(whole).collect()
}

impl StatedBundle {
    /// The files that decide what is trusted by it.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let source = (!self.source.contains("://")).then(|| PathBuf::from(&self.source));
        [self.root.clone()].into_iter().chain(source)
    }
}

/// The user's own settings alone.
pub(crate) fn of_user(places: &Places) -> Result<Configuration, ConfigurationError> {
    settings(&places.settings_file(), |path, error| ConfigurationError::Form { path, error })
}

/// The user's settings in a file, which has to be there.
pub(crate) fn read_file(path: &Path) -> Result<Configuration, ConfigurationError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigurationError::Read { path: path.into(), error })?;
    toml::from_str(&text)
        .map_err(|error| ConfigurationError::Form { path: path.into(), error: Box::new(error) })
}

/// Settings of a file; the usual ones if there is none.
fn settings<S: Default + serde::de::DeserializeOwned>(
    path: &Path,
    wrong: fn(PathBuf, Box<toml::de::Error>) -> ConfigurationError,
) -> Result<S, ConfigurationError> {
    match text(path)? {
        Some(text) => toml::from_str(&text).map_err(|error| wrong(path.into(), Box::new(error))),
        None => Ok(S::default()),
    }
}

fn text(path: &Path) -> Result<Option<String>, ConfigurationError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigurationError::Read { path: path.into(), error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(fleet: &str, user: &str, project: &str) -> Result<Configured, String> {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let places = Places { state: at("state"), settings: at("user"), fleet: at("fleet") };
        for (path, text) in [
            (places.fleet_file(), fleet),
            (places.settings_file(), user),
            (at("work").join(PROJECT_FOLDER).join(SETTINGS_FILE), project),
        ] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Configured::read(&places, &at("work")).map_err(|error| error.to_string())
    }

    #[test]
    fn what_the_fleet_states_comes_first_and_stays_whatever_is_stated_below() {
        let fleet = "invariants = ['Never push to main.']\n[session]\ninternal = ['acme.com']\nexternal = ['slack:C1']";
        let user = "invariants = ['Ask me before deleting anything.']";
        let project = "invariants = ['Only write inside docs/.']\n[session]\nexternal = ['slack:C2']";
        for (user, project, count) in
            [("", "", 1), (user, "", 2), (user, project, 3), ("invariants = []", "invariants = []", 1)]
        {
            let read = configured(fleet, user, project).unwrap();
            let levels: Vec<Level> = read.sentences.iter().map(|sentence| sentence.level).collect();
            assert_eq!(levels, [Level::Fleet, Level::User, Level::Project][..count]);
            assert_eq!(read.sentences[0].text, "Never push to main.");
            let mut layout = Layout::default();
            read.lay_out(&mut layout);
            assert_eq!(layout.internal, ["acme.com"]);
            assert_eq!(layout.external[0], "slack:C1");
        }
    }

    #[test]
    fn what_the_fleet_calls_something_stays_so_and_projects_name_nothing() {
        let fleet = "[session.names]\nroadmap = 'a1'";
        let user = "[session.names]\n'The Roadmap page' = 'b2'\nplan = 'c3'";
        let mut layout = Layout::default();
        configured(fleet, user, "").unwrap().lay_out(&mut layout);
        let names: Vec<(&str, &str)> =
            layout.names.iter().map(|(name, id)| (name.as_str(), id.as_str())).collect();
        assert_eq!(names, [("plan", "c3"), ("roadmap", "a1")]);
        assert!(configured("", "", fleet).err().unwrap().contains("unknown field `names`"));
    }

    #[test]
    fn what_one_rule_explains_others_may_use_but_projects_explain_nothing() {
        let rule = "invariants = ['Post in #deliveries (C0DELIV22) only']";
        let named = |user: &str, project: &str| {
            let mut layout = Layout::default();
            configured("", user, project).unwrap().lay_out(&mut layout);
            layout.names.into_iter().collect::<Vec<(String, String)>>()
        };
        assert_eq!(named(rule, ""), [("#deliveries".to_owned(), "C0DELIV22".to_owned())]);
        assert_eq!(named("", rule), []);
        assert_eq!(named("[session.names]\n'#deliveries' = 'C1'", rule).len(), 1);
    }

    #[test]
    fn settings_that_are_not_understood_stop_everything() {
        assert!(configured("invariant = []", "", "").err().unwrap().contains("unknown field `invariant`"));
        assert!(configured("[asking]\nwait = 1", "", "").err().unwrap().contains("unknown field `asking`"));
        let bundle = "[[trust.bundles]]\nname = 'team'\nsource = 'https://a.example/t'\nroot = '/k.json'";
        assert_eq!(configured(bundle, bundle, "").unwrap().bundles().len(), 2);
        let widened = configured("", "", bundle).err().unwrap();
        assert!(widened.contains("a project may only state"), "{widened}");
        for (source, root) in [
            ("/t.jws", "k.json"),
            ("t.jws", "/k.json"),
            ("/t.jws", "./k.json"),
            ("../t.jws", "/k.json"),
            ("/t.jws", "~other/k.json"),
            ("/t.jws", ""),
        ] {
            let text = format!("[[trust.bundles]]\nname = 'team'\nsource = '{source}'\nroot = '{root}'");
            for told in [configured(&text, "", ""), configured("", &text, "")] {
                let told = told.err().unwrap();
                assert!(told.contains("a whole path is needed"), "{told}");
            }
        }
        let text = "[[trust.bundles]]\nname = 'team'\nsource = '~/t.jws'\nroot = '/k.json'";
        let read = configured("", text, "").unwrap();
        let home = std::env::home_dir().unwrap();
        let files: Vec<PathBuf> = read.bundles().iter().flat_map(StatedBundle::files).collect();
        assert_eq!(files, [PathBuf::from("/k.json"), home.join("t.jws")]);
        let widened = configured("", "", "[session]\ninternal = ['evil.io']").err().unwrap();
        assert!(widened.contains("a project may only state"), "{widened}");
    }
}
