//! The plots of the page.

use super::super::numbers::{mean, microseconds, with_unit};
use super::super::{MEASURES, Report, dimensions as by_dimension};
use super::plot::{Dots, Hue, Scale, WIDTH, bar, figure, legend, line, text};
use crate::score::{Figures, Group};

/// The systems with their hues.
fn systems(report: &Report) -> Vec<(Hue, &'static str, &Figures)> {
    let systems = report.systems().into_iter();
    Hue::ALL.into_iter().zip(systems).map(|(hue, (name, figures))| (hue, name, figures)).collect()
}

/// How much is asked, and how much is caught.
pub(super) fn protection(report: &Report) -> String {
    let systems = systems(report);
    let prompts = |figures: &Figures| figures.all.questions_per_session().unwrap_or(0.0);
    let most = systems.iter().map(|(_, _, figures)| prompts(figures)).fold(1.0_f64, f64::max).ceil();
    let across = Scale { values: (0.0, most), positions: (70.0, WIDTH - 40.0) };
    let up = Scale { values: (0.0, 1.0), positions: (270.0, 40.0) };
    let mut strokes = Vec::new();
    for quarter in 0..=4_u8 {
        let share = f64::from(quarter) / 4.0;
        strokes.push(line("", (70.0, up.at(share)), (WIDTH - 40.0, up.at(share))));
        strokes.push(text("soft end", 60.0, up.at(share) + 4.0, &format!("{:.0} %", share * 100.0)));
    }
    let mut tick = 0.0;
    while tick <= most {
        strokes.push(text("soft middle", across.at(tick), 290.0, &format!("{tick:.0}")));
        tick += (most / 8.0).ceil();
    }
    strokes.push(line("axis", (70.0, 270.0), (WIDTH - 40.0, 270.0)));
    strokes.push(text("soft middle", (70.0 + WIDTH - 40.0) / 2.0, 312.0, "prompts per session"));
    strokes.push(text("soft", 70.0, 22.0, "bound escalations caught"));
    let mut words = Vec::new();
    for (hue, name, figures) in &systems {
        let Some(caught) = figures.all.bound_recall() else { continue };
        let (x, y) = (across.at(prompts(figures)), up.at(caught));
        strokes.push(hue.point(x, y));
        let (class, x) = if x > WIDTH * 0.7 { ("end", x - 12.0) } else { ("", x + 12.0) };
        let beside = if caught < 0.1 { y - 8.0 } else { y + 18.0 };
        strokes.push(text(class, x, beside, name));
        words.push(format!(
            "{name}: {} prompts, {} caught",
            mean(Some(prompts(figures))),
            with_unit(Some(caught))
        ));
    }
    let title = "How often the user is asked, and how many escalations beyond what was granted are caught: the upper left is \
                 best.";
    figure("protection", 324.0, title, &words.join("; "), &strokes)
}

/// The figures of all systems, one beside the other.
pub(super) fn shares(report: &Report) -> String {
    const LEFT: f64 = 230.0;
    let systems = systems(report);
    let scale = Scale { values: (0.0, 1.0), positions: (0.0, WIDTH - LEFT - 80.0) };
    let names: Vec<(Hue, &str)> = systems.iter().map(|(hue, name, _)| (*hue, *name)).collect();
    let mut strokes = legend(&names, LEFT, 24.0);
    let mut words = Vec::new();
    let mut y = 44.0;
    for (name, share) in MEASURES {
        strokes.push(text("end", LEFT - 12.0, y + 8.0 * systems.len() as f64, name));
        for (hue, system, figures) in &systems {
            let share = share(&figures.all);
            let width = scale.at(share.unwrap_or(0.0));
            if share.is_some() {
                strokes.push(bar(*hue, LEFT, y, width, 11.0));
            }
            strokes.push(text("", LEFT + width + 8.0, y + 10.0, &with_unit(share)));
            words.push(format!("{name}, {system}: {}", with_unit(share)));
            y += 14.0;
        }
        y += 14.0;
    }
    strokes.push(line("axis", (LEFT, 38.0), (LEFT, y - 8.0)));
    figure(
        "shares",
        y,
        "The figures of the paper, for each system on the same traces.",
        &words.join("; "),
        &strokes,
    )
}

/// What each system catches of the escalations in each dimension.
pub(super) fn dimensions(report: &Report) -> String {
    let systems = systems(report);
    let escalating = by_dimension(&report.figures).into_iter().filter(|(_, _, group)| group.escalations > 0);
    let row = |(key, name, _): (&str, &str, &Group)| {
        let shares = systems.iter().map(|(_, _, figures)| figures.by_dimension.get(key)?.bound_recall());
        (name.to_owned(), shares.collect())
    };
    let series: Vec<(Hue, &str)> = systems.iter().map(|(hue, name, _)| (*hue, *name)).collect();
    let dots = Dots { series: &series, rows: escalating.map(row).collect() };
    let title = "Escalations that were asked about or denied, by what they cross.";
    figure("dimensions", dots.height(), title, &told(&dots), &dots.strokes())
}

/// Accuracy in each category.
pub(super) fn categories(report: &Report) -> String {
    let figures = &report.figures.by_category;
    let mut names: Vec<&String> = figures.keys().map(|(name, _)| name).collect();
    names.dedup();
    let share =
        |name: &String, several: bool| figures.get(&(name.clone(), several)).and_then(Group::step_accuracy);
    let row = |name: &&String| ((*name).clone(), vec![share(name, false), share(name, true)]);
    let series = [(Hue::Portcullis, "one server"), (Hue::Tool, "several servers")];
    let dots = Dots { series: &series, rows: names.iter().map(row).collect() };
    let title = "Steps that Portcullis decided right, by category. Mind where the scale begins.";
    figure("categories", dots.height(), title, &told(&dots), &dots.strokes())
}

/// The points in words.
fn told(dots: &Dots<'_>) -> String {
    let row = |(label, shares): &(String, Vec<Option<f64>>)| {
        let points = dots.series.iter().zip(shares).filter(|(_, share)| share.is_some());
        let points = points.map(|((_, name), share)| format!("{name} {}", with_unit(*share)));
        format!("{label}: {}", points.collect::<Vec<_>>().join(", "))
    };
    dots.rows.iter().map(row).collect::<Vec<_>>().join("; ")
}

/// How many decisions took at most how long.
pub(super) fn times(report: &Report) -> String {
    let time = report.decision_time();
    let micros: Vec<f64> = report.times.iter().map(|time| (time.as_secs_f64() * 1e6).max(0.1)).collect();
    let least = micros.first().map_or(0.0, |time| time.log10().floor());
    let most = micros.last().map_or(1.0, |time| time.log10().ceil()).max(least + 1.0);
    let across = Scale { values: (least, most), positions: (70.0, WIDTH - 40.0) };
    let up = Scale { values: (0.0, 1.0), positions: (250.0, 44.0) };
    let mut strokes = Vec::new();
    for quarter in 0..=4_u8 {
        let share = f64::from(quarter) / 4.0;
        strokes.push(line("", (70.0, up.at(share)), (WIDTH - 40.0, up.at(share))));
        strokes.push(text("soft end", 60.0, up.at(share) + 4.0, &format!("{:.0} %", share * 100.0)));
    }
    let mut power = least;
    while power <= most {
        strokes.push(line("", (across.at(power), 44.0), (across.at(power), 250.0)));
        strokes.push(text("soft middle", across.at(power), 270.0, &decade(power)));
        power += 1.0;
    }
    for (name, value) in [("p50", time.p50), ("p99", time.p99)] {
        let x = across.at(value.max(0.1).log10());
        strokes.push(line("mark", (x, 36.0), (x, 250.0)));
        strokes.push(text("middle", x, 28.0, &format!("{name} {}", microseconds(value))));
    }
    strokes.push(format!("<path class=\"curve\" d=\"{}\"/>", curve(&micros, across, up)));
    let title = "The share of decisions that took at most this long, on the machine of this run; the scale of times is \
                 logarithmic.";
    let words =
        format!("half within {}, 99 of 100 within {}", microseconds(time.p50), microseconds(time.p99));
    figure("times", 284.0, title, &words, &strokes)
}

/// A power of ten of microseconds.
fn decade(power: f64) -> String {
    match power {
        power if power >= 6.0 => format!("{:.0} s", 10_f64.powf(power - 6.0)),
        power if power >= 3.0 => format!("{:.0} ms", 10_f64.powf(power - 3.0)),
        power if power >= 0.0 => format!("{:.0} µs", 10_f64.powf(power)),
        power => format!("{:.0} ns", 10_f64.powf(power + 3.0)),
    }
}

/// A path through at most three hundred of the times, the first and the last among them.
fn curve(micros: &[f64], across: Scale, up: Scale) -> String {
    let stride = micros.len().div_ceil(300).max(1);
    let last = micros.len().saturating_sub(1);
    let mut path = String::new();
    for (at, time) in micros.iter().enumerate() {
        if !at.is_multiple_of(stride) && at != last {
            continue;
        }
        let letter = if path.is_empty() { 'M' } else { 'L' };
        let share = (at + 1) as f64 / micros.len() as f64;
        path.push_str(&format!("{letter}{:.1} {:.1}", across.at(time.log10()), up.at(share)));
    }
    path
}
