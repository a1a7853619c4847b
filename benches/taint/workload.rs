//! Labels and texts as a long session leaves them, made by counting and not by chance.

use portcullis_lattice::{Effect, Label, Reach, Taint};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::{Act, Deed, Use};
use portcullis_taint::{Evidence, Fingerprints, Key, Labels, Limits};

/// Why the workload cannot be made.
pub(crate) type Failure = Box<dyn std::error::Error>;

pub(crate) struct Workload {
    pub(crate) places: Places,
    pub(crate) few: Labels,
    pub(crate) many: Labels,
    /// A file six folders deep that carries nothing, and whose neighbours do.
    pub(crate) file: Use,
    pub(crate) folder: Use,
    /// Mails the file.
    pub(crate) act: Act,
    pub(crate) nothing: Fingerprints,
    pub(crate) texts: Fingerprints,
    pub(crate) argument: String,
    pub(crate) encoded: String,
    pub(crate) long: String,
}

impl Workload {
    pub(crate) fn new() -> Result<Workload, Failure> {
        let places = Places::built_in()?;
        let formats = Formats::built_in()?;
        let file = Use::new("/home/ann/work/shop/services/s7/src/clean.rs", Reach::One);
        let nothing = Fingerprints::new(Key::new(*b"sixteen letters!"), Limits::default());
        let mut texts = nothing.clone();
        for number in 0..100 {
            let text = prose(number, 2_000);
            texts.remember(
                number,
                "/home/ann/notes",
                Taint::only(Label::Secret),
                &text,
                &formats.find(&text),
            );
        }
        Ok(Workload {
            few: labelled(10, &places),
            many: labelled(10_000, &places),
            folder: Use::new("/home/ann/work/shop/services/s7/src", Reach::Subtree),
            act: write(file.clone(), Use::new("mailto:tom@acme.com", Reach::One)),
            file,
            places,
            nothing,
            texts,
            argument: prose(1_000, 2_000),
            encoded: prose(1_001, 4_000).replace([' ', '\n', '.'], "").chars().take(2_000).collect(),
            long: prose(1_002, 1_000_000),
        })
    }
}

fn write(input: Use, output: Use) -> Act {
    Act {
        deed: Deed { inputs: vec![input], outputs: vec![output], effects: Effect::Write.into() },
        payload: false,
    }
}

/// So many labelled files, a hundred in a folder, and one folder labelled as a whole.
fn labelled(names: usize, places: &Places) -> Labels {
    let mut labels = Labels::with_bound(names + 10);
    let files = (0..names).map(|number| {
        let name = format!("/home/ann/work/shop/services/s{}/src/module{}.rs", number / 100, number % 100);
        Use::new(name, Reach::One)
    });
    for output in files.chain([Use::new("/home/ann/work/shop/dist", Reach::Subtree)]) {
        let act = write(Use::new("/home/ann/.env", Reach::One), output);
        let carried = labels.carried(1, &act, places, &Evidence::none());
        labels.permit(1, &act, &carried);
    }
    labels
}

/// Words that a simple counter chooses, other ones for every number.
fn prose(number: u64, bytes: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "ka", "to", "mi", "ren", "sol", "ba", "dur", "el", "fin", "gor", "hal", "is", "jo", "lun", "ne",
        "pra",
    ];
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let syllable = SYLLABLES.get((state >> 60) as usize).copied().unwrap_or("o");
        text.push_str(syllable);
        match (state >> 50) & 7 {
            0..=1 => text.push(' '),
            2 => text.push_str(".\n"),
            _ => {}
        }
    }
    text
}
