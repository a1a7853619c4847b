//! Files that belong together: a name and its folder, what is converted and what it becomes.

use super::super::definition::Definition;
use super::super::manner::{Manner, Told};
use super::Roles;
use crate::profile::ArgumentPath;

impl Roles {
    /// Tells apart the files of a call that names several.
    pub(super) fn pair_files(&mut self, definition: &Definition, told: &Told) {
        // A file's name beside a folder is in that folder.
        if let (Some(name), false) = (self.inside.clone(), self.targets.is_empty()) {
            self.files.push(name);
            self.inside = None;
        }
        if self.targets.len() > 1 || !self.targets.is_empty() && !self.files.is_empty() {
            let is_name =
                |path: &ArgumentPath| matches!(path.root(), Some("filename" | "file_name" | "fileName"));
            let named = self.targets.iter().chain(&self.files).find(|path| is_name(path)).cloned();
            self.targets.retain(|path| !is_name(path));
            self.files.retain(|path| !is_name(path));
            self.file_name = named;
        }
        self.convert_files(told);
        let brings_content = definition.properties.iter().any(|property| {
            let is_content = |word: &String| matches!(word.as_str(), "content" | "contents" | "base64");
            property.required && property.is_text() && property.words.iter().any(is_content)
        });
        if told.manners == [Manner::Upload] && brings_content {
            // What is uploaded comes with the call, so that the file is where it is put.
            self.targets.append(&mut self.files);
        }
    }

    /// The one file that a tool is about which does something inside of it: `copy_sheet {path, sheet}`.
    pub(in super::super) fn whole_file(&self) -> Option<&ArgumentPath> {
        let is_one = |path: &&ArgumentPath| path.last_words().last().is_some_and(|word| !word.ends_with('s'));
        match self.files.as_slice() {
            [file] if !self.moves_files => Some(file).filter(is_one),
            _ => None,
        }
    }

    /// `import_csv {path, csv_path}` reads the file of the other kind into the plain one, `export_csv` the other way round.
    fn convert_files(&mut self, told: &Told) {
        let is_plain = |path: &ArgumentPath| path.last_words().len() == 1;
        let (plain, other): (Vec<_>, Vec<_>) = self.files.iter().cloned().partition(is_plain);
        if plain.is_empty() || other.is_empty() {
            return;
        }
        let media = ["image", "picture", "photo", "logo", "csv", "template", "media", "video", "audio"];
        let is_media =
            |path: &ArgumentPath| path.last_words().iter().any(|word| media.contains(&word.as_str()));
        match told.manners.as_slice() {
            [Manner::Change] if !other.iter().all(is_media) => return,
            [Manner::Upload | Manner::Change] => (self.sources, self.targets) = (other, plain),
            [Manner::Download] => (self.sources, self.targets) = (plain, other),
            _ => return,
        }
        self.files.clear();
    }
}
