//! One solver against another, a point an instance; both axes logarithmic.
//!
//! Across: the other's time; up: that of the one, so what lies above the diagonal is lost and what lies below
//! is won. Lines mark equal times and a factor of ten either way. A run without a correct answer (time-out,
//! memory-out, error, unknown, wrong) lies on a border beyond the limit, where its position is no time. The
//! colour and shape of a point is the answer, by whichever of the two solved the file; where neither did, the
//! point is left out, and counted in the legend.

use super::{Answers, BLUE, Canvas, Drawn, FLOOR, GREY, Item, LEAD, Mark, VERMILION};
use super::{least, limit, seconds, strip};
use crate::log::{Log, Run, Status};
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

/// How far beyond the limit the border lies, as a factor.
const BORDER: f64 = 1.7;
/// How far beyond the limit the axes end, as a factor.
const END: f64 = 2.3;

/// The kinds of points, in the order of the legend.
const KINDS: [(Status, &str, Mark, RGBColor); 3] = [
    (Status::Sat, "sat", Mark::Circle, BLUE),
    (Status::Unsat, "unsat", Mark::Cross, VERMILION),
    (Status::Solved, "several checks", Mark::Triangle, GREY),
];

/// Draws the plot.
pub(crate) fn draw(canvas: &Canvas<'_>, log: &Log, up: &str, across: &str, answers: Answers) -> Drawn {
    let is_shown = |(one, other): &(&Run, &Run)| match kind_of(one, other) {
        Some(kind) => answers.include(kind),
        None => answers == Answers::All,
    };
    let pairs: Vec<(&Run, &Run)> = log.both(up, across).filter(is_shown).collect();
    let limit = limit(log);
    let (low, high) = (least(log), limit * END);
    let (count, instances) = (pairs.len(), answers.instances());
    let title = format!("{up} against {across}: {count} {instances}, {limit} s of CPU time each");
    let body = strip(canvas, &title, &legend(&pairs))?;

    let axis = (low / LEAD..high).log_scale();
    let mut chart = ChartBuilder::on(&body)
        .margin(14)
        .margin_right(24)
        .x_label_area_size(52)
        .y_label_area_size(72)
        .build_cartesian_2d(axis.clone(), axis)?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .x_desc(format!("{across}, CPU seconds"))
        .y_desc(format!("{up}, CPU seconds"))
        .axis_desc_style(("sans-serif", 17))
        .label_style(("sans-serif", 15))
        .x_label_formatter(&seconds)
        .y_label_formatter(&seconds)
        .draw()?;

    guides(&mut chart, low, limit, up)?;
    let border = limit * BORDER;
    for (kind, _, mark, colour) in KINDS {
        let points = pairs.iter().filter(|(ours, theirs)| kind_of(ours, theirs) == Some(kind));
        let points = points.map(|(ours, theirs)| (place(theirs, low, border), place(ours, low, border)));
        let soft = colour.mix(0.6);
        match mark {
            Mark::Circle | Mark::Line(_) | Mark::Nothing => {
                chart.draw_series(points.map(|at| Circle::new(at, 4, soft.filled())))?
            }
            Mark::Cross => chart.draw_series(points.map(|at| Cross::new(at, 4, soft.stroke_width(2))))?,
            Mark::Triangle => {
                chart.draw_series(points.map(|at| TriangleMarker::new(at, 5, soft.filled())))?
            }
        };
    }
    Ok(())
}

/// The plane of the plot.
type Plane<'p, 's> = ChartContext<'p, SVGBackend<'s>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// The lines of equal times and of a factor of ten, the border beyond the limit, and the words beside them.
fn guides(chart: &mut Plane<'_, '_>, low: f64, limit: f64, up: &str) -> Drawn {
    let words = ("sans-serif", 15).into_font().color(&GREY);
    for factor in [1.0, 10.0, 0.1] {
        let line = diagonal(low, limit, factor);
        let style = if factor == 1.0 { BLACK.stroke_width(1) } else { GREY.stroke_width(1) };
        let label = if factor == 1.0 { "x1" } else { "x10" };
        chart.draw_series(LineSeries::new(line, style))?;
        // Left of the upper end: clear of the line, and of the axes' own labels.
        let at = (line[1].0 * (low / limit).powf(0.07), line[1].1);
        chart.draw_series([Text::new(label, at, words.clone())])?;
    }
    let border = limit * BORDER;
    chart.draw_series(LineSeries::new([(low, border), (border, border)], GREY.stroke_width(1)))?;
    chart.draw_series(LineSeries::new([(border, low), (border, border)], GREY.stroke_width(1)))?;
    let along = |share: f64| low * (limit / low).powf(share);
    // A long name begins further to the left.
    let faster = (0.87 - 0.012 * (up.chars().count() + 10) as f64).max(0.2);
    chart.draw_series([
        Text::new("no answer".to_owned(), (along(0.01), border * 1.27), words.clone()),
        Text::new(format!("{up} is slower"), (along(0.05), along(0.93)), words.clone()),
        Text::new(format!("{up} is faster"), (along(faster), along(0.06)), words),
    ])?;
    Ok(())
}

/// The kinds of points that occur, with their numbers, and how many files neither solved.
fn legend(pairs: &[(&Run, &Run)]) -> Vec<Item> {
    let kinds = KINDS.map(|(kind, words, mark, colour)| (Some(kind), words, mark, colour));
    let neither = (None, "solved by neither, not shown", Mark::Nothing, WHITE);
    let items = kinds.into_iter().chain([neither]).map(|(kind, words, mark, colour)| {
        let count = pairs.iter().filter(|(ours, theirs)| kind_of(ours, theirs) == kind).count();
        (count > 0).then(|| (mark, colour, format!("{words} ({count})")))
    });
    items.flatten().collect()
}

/// The answer to an instance by whichever solved it, the other first; `None` if neither did.
fn kind_of(ours: &Run, theirs: &Run) -> Option<Status> {
    [theirs, ours].into_iter().map(|run| run.status).find(|status| status.is_solved())
}

/// Where a run lies on its axis.
fn place(run: &Run, low: f64, border: f64) -> f64 {
    if run.status.is_solved() { run.cpu.max(low).max(FLOOR) } else { border }
}

/// The ends of the line `up = factor * across` within the square from `low` to `high`.
fn diagonal(low: f64, high: f64, factor: f64) -> [(f64, f64); 2] {
    let from = low.max(low / factor);
    let to = high.min(high / factor);
    [(from, from * factor), (to, to * factor)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    const OURS: &str = "bivalve";

    #[test]
    fn diagonals_stay_inside_the_square() {
        for factor in [1.0, 10.0, 0.1] {
            for (x, y) in diagonal(0.001, 10.0, factor) {
                assert!(
                    (0.000_999..=10.001).contains(&x) && (0.000_999..=10.001).contains(&y),
                    "{factor}: {x} {y}"
                );
                assert!((y / x / factor - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn unsolved_runs_lie_on_the_border() {
        let log = sample::log();
        let hard = |solver| log.get(solver, "perf/b/hard.smt2").unwrap();
        assert_eq!(place(hard("bitwuzla"), 0.01, 17.0), 17.0);
        assert_eq!(place(hard(OURS), 0.01, 17.0), 2.0);
        assert_eq!(place(hard(OURS), 5.0, 17.0), 5.0, "clamped to the axis");
        assert_eq!(kind_of(hard(OURS), hard("bitwuzla")), Some(Status::Unsat));
        assert_eq!(kind_of(hard("yices"), hard("bitwuzla")), None);
    }
}
