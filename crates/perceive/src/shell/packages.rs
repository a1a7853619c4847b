//! Package managers: what they install is code from a registry.

use portcullis_lattice::{Effect, Reach};

use crate::Use;

use super::arguments::{Argument, Divided, Order, divide};
use super::place;
use super::program::{Run, is_url};
use super::stream::Stream;
use super::tables::{self, Does, Manager};
use super::walk::Walk;

impl Walk<'_> {
    /// A package manager.
    pub(super) fn package_manager(&mut self, run: &Run<'_>) -> Option<Stream> {
        let manager = tables::manager(run.name)?;
        let values: Vec<&str> = manager.values.iter().map(String::as_str).collect();
        let divided = divide(run.arguments, Order::Mixed, &super::program::takes_from(&values));
        if manager.runs_first {
            return Some(self.runs_package(manager, &divided, run.stdin.clone()));
        }
        let (subcommand, operands) = match divided.operands.split_first() {
            _ if manager.installs_by_itself => ("", divided.operands.as_slice()),
            Some((first, rest)) => (first.text.as_str(), rest),
            None => ("", divided.operands.as_slice()),
        };
        let lists = |list: &[String]| list.iter().any(|known| known == subcommand);
        let from_file = divided.has(&["-r", "--requirement", "--requirements"]);
        // `uv pip install x` and `yarn global add x` say it one word later.
        if matches!(subcommand, "pip" | "global" | "tool") && !operands.is_empty() {
            let mut words = vec![Argument::plain(if subcommand == "global" { run.name } else { "pip" })];
            words.extend(run.arguments.iter().filter(|word| word.text != subcommand).cloned());
            return Some(self.run(&words, run.stdin.clone()));
        }
        if manager.installs_by_itself || lists(&manager.install) {
            let local = divided.values(&["-e", "--editable", "--path"]);
            return Some(self.installed(manager, operands, from_file, &local));
        }
        if lists(&manager.show)
            || (subcommand.is_empty() && divided.has(&["--version", "-V", "-v", "--help"]))
        {
            return Some(Stream::of(self.workdir_uses()));
        }
        if lists(&manager.publish) {
            let inputs = self.workdir_uses();
            let registry = place::checked(format!("pkg:{}/*", manager.registry), Reach::Subtree);
            self.copied(inputs, vec![registry], Effect::Write.into());
            return Some(Stream::default());
        }
        Some(self.executed_here(run.stdin.clone()))
    }

    /// Well-known development tools are taken to be there already, as projects have them; others are fetched.
    fn runs_package(&mut self, manager: &Manager, divided: &Divided, stdin: Stream) -> Stream {
        let chosen = divided.values(&["-p", "--package", "--from", "--with", "-c"]);
        match divided.operands.first() {
            Some(tool)
                if chosen.is_empty()
                    && tables::spec(&tool.text).is_some_and(|spec| spec.does == Does::Run) =>
            {
                self.executed_here(stdin)
            }
            first => {
                let packages: Vec<Argument> = first.into_iter().chain(&chosen).cloned().collect();
                self.installed(manager, &packages, false, &[])
            }
        }
    }

    fn installed(
        &mut self,
        manager: &Manager,
        operands: &[Argument],
        from_file: bool,
        local: &[Argument],
    ) -> Stream {
        let outputs = self.workdir_uses();
        let mut inputs = Vec::new();
        for operand in operands.iter().chain(local) {
            inputs.push(self.package(manager, operand));
        }
        if from_file || inputs.is_empty() {
            inputs.push(all_packages(manager));
        }
        self.deed(inputs.clone(), outputs, Effect::Exec.into());
        Stream { made_by_program: true, ..Stream::of(inputs) }
    }

    fn package(&mut self, manager: &Manager, operand: &Argument) -> Use {
        if !operand.is_known() {
            return all_packages(manager);
        }
        let text = operand.text.as_str();
        let url = text.split_once(" @ ").map_or(text, |(_, url)| url);
        if is_url(url) || url.starts_with("git+") || url.starts_with("git@") {
            let url = url.strip_prefix("git+").unwrap_or(url);
            return place::git_remote(url, self.resolver).unwrap_or_else(|| place::url(url, self.resolver));
        }
        let is_path = text.starts_with(['.', '/', '~'])
            || [".whl", ".tgz", ".deb", ".rpm", ".tar.gz"].iter().any(|end| text.ends_with(end));
        if is_path {
            return self.places(operand, Reach::Subtree).into_iter().next().unwrap_or_else(place::any_file);
        }
        let name = package_name(text);
        if name.is_empty() {
            all_packages(manager)
        } else {
            place::checked(format!("pkg:{}/{name}", manager.registry), Reach::One)
        }
    }
}

fn all_packages(manager: &Manager) -> Use {
    Use::new(format!("pkg:{}/*", manager.registry), Reach::Subtree)
}

/// A package's name without its version, extras and markers; a leading `@` belongs to the name.
fn package_name(text: &str) -> &str {
    let rest = text.strip_prefix('@').unwrap_or(text);
    let end = rest.find(['=', '<', '>', '!', '~', '@', '[', ';', ' ', '^', ':']).unwrap_or(rest.len());
    text.get(..end + (text.len() - rest.len())).unwrap_or(text)
}
