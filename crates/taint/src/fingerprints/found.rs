//! What a search found, and how it is told.

use std::ops::Range;
use std::sync::Arc;

use portcullis_lattice::Taint;

use super::decode::Encoding;
use crate::origin::home_shown;

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The texts that were found again, the one with the most characters first.
    pub matches: Vec<Match>,
    /// Whether everything was looked at; not if the text and its decodings are longer than the limit.
    pub is_complete: bool,
}

/// A remembered text that was found again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The step that got the text.
    pub step: u64,
    /// Where it got it.
    pub name: Arc<str>,
    /// The labels of the text.
    pub taint: Taint,
    /// How many characters of the text were found, white space not counted. Of a long text not every window is kept, so
    /// this may be less than there is.
    pub characters: usize,
    /// Where in the argument: the text itself, or the encoded run that holds it.
    pub range: Range<usize>,
    /// How the argument has to be read to see it, the outermost encoding first.
    pub encodings: Vec<Encoding>,
}

impl Match {
    /// The match in words, as in "the body …": `contains 41 characters of ~/.aws/credentials, read in step 3`.
    pub fn words(&self, home: Option<&str>) -> String {
        let Match { step, characters, encodings, .. } = self;
        let name = home_shown(&self.name, home);
        let how: Vec<String> = encodings.iter().map(Encoding::to_string).collect();
        let how = if how.is_empty() { String::new() } else { format!(" in {}", how.join(" of ")) };
        let noun = if *characters == 1 { "character" } else { "characters" };
        format!("contains {characters} {noun} of {name}, read in step {step}{how}")
    }
}
