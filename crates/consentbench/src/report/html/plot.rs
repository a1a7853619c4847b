//! Strokes of plots: text of SVG, positions in its units.

use super::escaped;

/// The colour and the shape of a system, so that neither is needed to tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hue {
    Portcullis,
    Tool,
    Server,
    Every,
}

impl Hue {
    /// In the order of tables.
    pub(super) const ALL: [Hue; 4] = [Hue::Portcullis, Hue::Tool, Hue::Server, Hue::Every];

    pub(super) fn class(self) -> &'static str {
        match self {
            Hue::Portcullis => "portcullis",
            Hue::Tool => "tool",
            Hue::Server => "server",
            Hue::Every => "every",
        }
    }

    /// A point of this system.
    pub(super) fn point(self, x: f64, y: f64) -> String {
        let class = self.class();
        match self {
            Hue::Portcullis => format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>"),
            Hue::Tool => {
                let (left, top) = (x - 5.0, y - 5.0);
                format!("<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"10\" height=\"10\"/>")
            }
            Hue::Server => format!("<path class=\"{class}\" d=\"M{x:.1} {y:.1}m-7 0l7 -7l7 7l-7 7z\"/>"),
            Hue::Every => format!("<path class=\"{class}\" d=\"M{x:.1} {y:.1}m-7 5l7 -12l7 12z\"/>"),
        }
    }
}

/// A drawing with what it shows in words, for those who do not see it.
pub(super) fn figure(id: &str, height: f64, title: &str, words: &str, strokes: &[String]) -> String {
    format!(
        "<figure>\n<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-words\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-words\">{}</desc>\n{}\n</svg>\n\
         <figcaption>{title}</figcaption>\n</figure>",
        escaped(words),
        strokes.join("\n")
    )
}

/// How wide every drawing is.
pub(super) const WIDTH: f64 = 760.0;

pub(super) fn text(class: &str, x: f64, y: f64, words: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(words))
}

pub(super) fn line(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>")
}

pub(super) fn bar(hue: Hue, x: f64, y: f64, width: f64, height: f64) -> String {
    let class = hue.class();
    // What is zero is still seen to be there.
    let width = width.max(1.0);
    format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>")
}

/// The names of the series, one beside the other.
pub(super) fn legend(names: &[(Hue, &str)], mut x: f64, y: f64) -> Vec<String> {
    let mut strokes = Vec::new();
    for (hue, name) in names {
        strokes.push(hue.point(x, y - 4.0));
        strokes.push(text("", x + 12.0, y, name));
        x += 40.0 + 8.0 * name.chars().count() as f64;
    }
    strokes
}

/// A part of the drawing in which values are placed, from a value at one end to a value at the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) values: (f64, f64),
    pub(super) positions: (f64, f64),
}

impl Scale {
    pub(super) fn at(self, value: f64) -> f64 {
        let (first, last) = self.values;
        let (begin, end) = self.positions;
        let part = if last == first { 0.0 } else { (value - first) / (last - first) };
        begin + part.clamp(0.0, 1.0) * (end - begin)
    }
}

/// Rows of points on a common scale of shares: by their labels, the points of each series.
pub(super) struct Dots<'d> {
    pub(super) series: &'d [(Hue, &'d str)],
    pub(super) rows: Vec<(String, Vec<Option<f64>>)>,
}

impl Dots<'_> {
    const TOP: f64 = 44.0;
    const LEFT: f64 = 270.0;

    fn row_height(&self) -> f64 {
        26.0 + 13.0 * self.series.len().saturating_sub(1) as f64
    }

    pub(super) fn height(&self) -> f64 {
        Dots::TOP + self.row_height() * self.rows.len() as f64 + 34.0
    }

    /// The lowest tenth that is needed, so that differences are seen.
    fn from(&self) -> f64 {
        let shares = self.rows.iter().flat_map(|(_, shares)| shares.iter().flatten());
        let least = shares.fold(1.0_f64, |least, share| least.min(*share));
        (least * 10.0 - 1e-9).floor().clamp(0.0, 9.0) / 10.0
    }

    pub(super) fn strokes(&self) -> Vec<String> {
        let scale = Scale { values: (self.from(), 1.0), positions: (Dots::LEFT, WIDTH - 80.0) };
        let bottom = self.height() - 30.0;
        let mut strokes = legend(self.series, Dots::LEFT, 24.0);
        for tick in 0..=5_u8 {
            let share = self.from() + (1.0 - self.from()) * f64::from(tick) / 5.0;
            let x = scale.at(share);
            strokes.push(line("", (x, Dots::TOP), (x, bottom)));
            strokes.push(text("soft middle", x, bottom + 18.0, &format!("{:.0} %", share * 100.0)));
        }
        for (at, (label, shares)) in self.rows.iter().enumerate() {
            let top = Dots::TOP + self.row_height() * at as f64;
            strokes.push(line("", (16.0, top), (WIDTH - 80.0, top)));
            let y = top + 13.0;
            let middle = y + 13.0 * self.series.len().saturating_sub(1) as f64 / 2.0;
            strokes.push(text("end", Dots::LEFT - 16.0, middle + 4.0, label));
            for (((hue, _), share), at) in self.series.iter().zip(shares).zip(0_u8..) {
                let Some(share) = share else { continue };
                let y = y + 13.0 * f64::from(at);
                strokes.push(hue.point(scale.at(*share), y));
            }
        }
        strokes
    }
}
