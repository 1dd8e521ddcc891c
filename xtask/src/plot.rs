//! The two plots of a measurement, as SVG text.
//!
//! A *scatter* plot shows Bivalve against one peer, a point a file; a *cactus* plot shows all solvers, how many
//! files each solves within a time. Both have logarithmic time, because solver times spread over four decades, and
//! clamp below [`FLOOR`]: the clock charges in steps of about a millisecond. What both share is here: the span of the
//! time axes, the words on them, the colours (the palette of Okabe and Ito, which colour-blind readers can tell apart),
//! and a strip above the plot that holds the title and the legend, so that no legend ever covers a point.
//!
//! The backend writes text as SVG text: no font files are needed here, the reader's own sans-serif is used.

mod cactus;
mod scatter;

use crate::bench::log::{Log, OURS};
use crate::error::{Error, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::result::Result as Fallible;

/// Seconds below which times are not told apart.
const FLOOR: f64 = 0.001;
/// Time axes start this factor below their first decade, so that it gets its label.
const LEAD: f64 = 1.15;
/// Width of a plot, in pixels.
const WIDTH: u32 = 860;
/// Height of the strip with title and legend, in pixels.
const STRIP: i32 = 64;

const BLUE: RGBColor = RGBColor(0, 114, 178);
const VERMILION: RGBColor = RGBColor(213, 94, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);
/// One colour a peer, in their order; Bivalve is black.
const PEERS: [RGBColor; 6] = [
    BLUE,
    VERMILION,
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

type Canvas<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Drawn = Fallible<(), Box<dyn std::error::Error>>;

/// All plots of a log: file name and SVG text.
///
/// # Errors
/// When the plot library refuses.
pub(crate) fn all(log: &Log) -> Result<Vec<(String, String)>> {
    let mut plots = Vec::new();
    if log.ran(OURS) {
        for peer in log.peers() {
            let svg = draw("a scatter plot", 840, |canvas| scatter::draw(canvas, log, peer))?;
            plots.push((format!("scatter-{}.svg", file_name(peer)), svg));
        }
    }
    plots.push(("cactus.svg".to_owned(), draw("the cactus plot", 640, |canvas| cactus::draw(canvas, log))?));
    Ok(plots)
}

/// Draws on a white canvas of this height and returns the SVG text.
fn draw(what: &'static str, height: u32, paint: impl FnOnce(&Canvas<'_>) -> Drawn) -> Result<String> {
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        let refused = |why: &dyn std::fmt::Display| Error::Drawing { what, detail: why.to_string() };
        canvas.fill(&WHITE).map_err(|why| refused(&why))?;
        paint(&canvas).map_err(|why| refused(&why))?;
        canvas.present().map_err(|why| refused(&why))?;
    }
    Ok(svg)
}

/// A solver's name (which may carry options) as part of a file name.
fn file_name(solver: &str) -> String {
    solver.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect()
}

/// The longest limit of the log's runs, in seconds.
fn limit(log: &Log) -> f64 {
    log.runs().map(|run| run.timeout).fold(FLOOR, f64::max)
}

/// The decade at or below the least time of the log, not below [`FLOOR`] and at least a decade below the limit.
fn least(log: &Log) -> f64 {
    let least = log.runs().map(|run| run.cpu).fold(limit(log) / 10.0, f64::min).max(FLOOR);
    10_f64.powf((least.log10() + 1e-9).floor())
}

/// Seconds on an axis: as short as they can be said.
fn seconds(value: &f64) -> String {
    // The axis hands out powers of ten computed in floating point: three digits are exact for them.
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded}")
}

/// A kind of mark, for points and for their legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Circle,
    Cross,
    Triangle,
    Line,
    Nothing,
}

/// Writes the title, and below it the legend: mark, colour, words.
fn strip(canvas: &Canvas<'_>, title: &str, items: &[(Mark, RGBColor, String)]) -> Drawn {
    canvas.draw(&Text::new(title.to_owned(), (24, 14), ("sans-serif", 19)))?;
    let mut x = 30;
    for (mark, colour, words) in items {
        let at = (x, 50);
        match mark {
            Mark::Circle => canvas.draw(&Circle::new(at, 5, colour.filled()))?,
            Mark::Cross => canvas.draw(&Cross::new(at, 5, colour.stroke_width(2)))?,
            Mark::Triangle => canvas.draw(&TriangleMarker::new(at, 6, colour.filled()))?,
            Mark::Line => {
                canvas.draw(&PathElement::new([(x - 8, 50), (x + 8, 50)], colour.stroke_width(3)))?
            }
            Mark::Nothing => x -= 22,
        }
        canvas.draw(&Text::new(words.clone(), (x + 14, 43), ("sans-serif", 15)))?;
        x += 44 + 8 * i32::try_from(words.chars().count())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{sample, verdict};

    fn plots() -> Vec<(String, String)> {
        let mut log = sample::log();
        verdict::judge(&mut log, &sample::problems());
        all(&log).unwrap()
    }

    /// The words of all text elements of an SVG.
    fn words(svg: &str) -> Vec<&str> {
        svg.split("<text")
            .skip(1)
            .map(|text| text.split(['>', '<']).nth(1).unwrap_or_default().trim())
            .collect()
    }

    #[test]
    fn there_is_a_scatter_plot_for_each_peer_and_one_cactus_plot() {
        let plots = plots();
        let names: Vec<&str> = plots.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["scatter-bitwuzla.svg", "scatter-yices.svg", "cactus.svg"]);
        for (name, svg) in &plots {
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        }
    }

    #[test]
    fn a_scatter_plot_says_who_when_and_what() {
        let (_, svg) = plots().swap_remove(0);
        let words = words(&svg);
        for expected in [
            "bivalve against bitwuzla: 6 files, 10 s of CPU time each",
            "sat (2)",
            "unsat (3)",
            "several checks (1)",
            "bitwuzla, CPU seconds",
            "bivalve, CPU seconds",
            "x1",
            "x10",
            "no answer",
            "bivalve is slower",
            "bivalve is faster",
            "0.1",
            "1",
            "10",
        ] {
            assert!(words.contains(&expected), "{expected}: {words:?}");
        }
    }

    #[test]
    fn a_cactus_plot_names_every_solver_and_what_it_solved() {
        let (_, svg) = plots().pop().unwrap();
        let words = words(&svg);
        for expected in
            ["bivalve (3)", "bitwuzla (5)", "yices (3)", "files solved", "CPU seconds for one file"]
        {
            assert!(words.contains(&expected), "{expected}: {words:?}");
        }
    }

    #[test]
    fn plots_of_almost_nothing_can_be_drawn() {
        let mut log = sample::log();
        log.retain(|run| run.solver == OURS && !run.status.is_solved());
        assert_eq!(all(&log).unwrap().len(), 1);
        let mut one = sample::log().get("bitwuzla", "perf/a/quick.smt2").unwrap().clone();
        one.cpu = 0.0;
        one.timeout = 0.5;
        log.insert(one);
        assert_eq!(all(&log).unwrap().len(), 2);
    }

    #[test]
    fn axes_start_at_a_decade() {
        let mut log = sample::log();
        assert_eq!(seconds(&least(&log)), "0.01", "the rejected script took 0.01 s");
        log.retain(|run| run.status.is_solved());
        assert_eq!(seconds(&least(&log)), "0.1");
        assert_eq!(seconds(&100.0), "100");
    }

    #[test]
    fn options_in_names_do_not_reach_file_names() {
        assert_eq!(file_name("bitwuzla:a=1 b/2"), "bitwuzla-a-1-b-2");
    }
}
