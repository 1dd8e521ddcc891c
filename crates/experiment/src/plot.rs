//! The plots of a measurement, as SVG text.
//!
//! A *scatter* plot shows one solver against another, a point an instance; a *cactus* plot shows many
//! solvers, how many instances each solves within a time. Both have logarithmic time, because solver times
//! spread over four decades, and clamp below a millisecond: the clock charges in steps of about a
//! millisecond. Either can be drawn of the satisfiable or the unsatisfiable instances alone, since what helps
//! one kind often costs the other. What both share is here: the span of the time axes, the words on them, the
//! colours (the palette of Okabe and Ito, which colour-blind readers can tell apart), and a strip above the
//! plot that holds the title and the legend, so that no legend ever covers a point.
//!
//! The backend writes text as SVG text: no font files are needed here, the reader's own sans-serif is used.
//! The same log gives the same bytes.

mod cactus;
mod lines;
mod scatter;

pub use lines::{Line, Lines};

use crate::error::{Error, Result};
use crate::log::{Log, Status};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::result::Result as Fallible;

/// Seconds below which times are not told apart.
const FLOOR: f64 = 0.001;
/// Time axes start this factor below their first decade, so that it gets its label.
const LEAD: f64 = 1.15;
/// Width of a plot, in pixels.
const WIDTH: u32 = 860;
/// Height of the strip with the title and one line of legend, in pixels.
const STRIP: i32 = 64;
/// Thickness of a line, in pixels.
const THICKNESS: u32 = 2;
/// Height of a further line of legend, in pixels.
const LINE: i32 = 22;

const BLUE: RGBColor = RGBColor(0, 114, 178);
const VERMILION: RGBColor = RGBColor(213, 94, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);
/// One colour a solver, in their order.
const COLOURS: [RGBColor; 6] = [
    BLUE,
    VERMILION,
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

type Canvas<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Drawn = Fallible<(), Box<dyn std::error::Error>>;

/// Which instances a plot shows, by their answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Whatever was answered.
    All,
    /// Satisfiable ones, with one check.
    Sat,
    /// Unsatisfiable ones, with one check.
    Unsat,
}

impl Answers {
    fn include(self, status: Status) -> bool {
        match self {
            Answers::All => status.is_solved(),
            Answers::Sat => status == Status::Sat,
            Answers::Unsat => status == Status::Unsat,
        }
    }

    /// How such instances are called in a title.
    fn instances(self) -> &'static str {
        match self {
            Answers::All => "files",
            Answers::Sat => "satisfiable files",
            Answers::Unsat => "unsatisfiable files",
        }
    }
}

/// One solver (up) against another (across), a point an instance.
///
/// # Errors
/// When the plot library refuses.
pub fn scatter(log: &Log, up: &str, across: &str, answers: Answers) -> Result<String> {
    draw("a scatter plot", 840, |canvas| scatter::draw(canvas, log, up, across, answers))
}

/// How many instances each of these solvers solves within a time. All lines are drawn alike.
///
/// # Errors
/// When the plot library refuses.
pub fn cactus(log: &Log, solvers: &[&str], answers: Answers) -> Result<String> {
    draw("the cactus plot", 640, |canvas| cactus::draw(canvas, log, solvers, answers))
}

/// Lines over two logarithmic axes.
///
/// # Errors
/// When the plot library refuses.
pub fn lines(drawn: &Lines<'_>) -> Result<String> {
    draw("the plot of lines", 640, |canvas| lines::draw(canvas, drawn))
}

/// Draws on a white canvas of this height and returns the SVG text.
fn draw(what: &str, height: u32, paint: impl FnOnce(&Canvas<'_>) -> Drawn) -> Result<String> {
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        let refused =
            |why: &dyn std::fmt::Display| Error::Drawing { what: what.to_owned(), detail: why.to_string() };
        canvas.fill(&WHITE).map_err(|why| refused(&why))?;
        paint(&canvas).map_err(|why| refused(&why))?;
        canvas.present().map_err(|why| refused(&why))?;
    }
    Ok(svg)
}

/// A solver's name (which may carry options) as part of a file name.
pub fn file_name(solver: &str) -> String {
    solver.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.=".contains(c) { c } else { '-' }).collect()
}

/// The longest limit of the log's runs, in seconds.
fn limit(log: &Log) -> f64 {
    log.runs().map(|run| run.timeout).fold(FLOOR, f64::max)
}

/// The decade at or below the least time of the log, not below [`FLOOR`] and at least a decade below the
/// limit.
fn least(log: &Log) -> f64 {
    let least = log.runs().map(|run| run.cpu).fold(limit(log) / 10.0, f64::min).max(FLOOR);
    10_f64.powf((least.log10() + 1e-9).floor())
}

/// Seconds on an axis, in the shortest notation.
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
    /// A line with such marks.
    Line(Point),
    Nothing,
}

/// The mark of a line's points, which tells it from others where there are no colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    shape: Shape,
    is_hollow: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Disc,
    Square,
    Triangle,
    Cross,
    Diamond,
    TurnedTriangle,
    Plus,
}

const SHAPES: [Shape; 7] = [
    Shape::Disc,
    Shape::Square,
    Shape::Triangle,
    Shape::Cross,
    Shape::Diamond,
    Shape::TurnedTriangle,
    Shape::Plus,
];

/// The corners of a shape around its middle, in pixels. All have about the same weight.
fn corners(shape: Shape) -> &'static [(i32, i32)] {
    match shape {
        Shape::Disc => &[(-2, -4), (2, -4), (4, -2), (4, 2), (2, 4), (-2, 4), (-4, 2), (-4, -2)],
        Shape::Square => &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
        Shape::Triangle => &[(0, -5), (5, 4), (-5, 4)],
        Shape::TurnedTriangle => &[(0, 5), (5, -4), (-5, -4)],
        Shape::Diamond => &[(0, -6), (6, 0), (0, 6), (-6, 0)],
        Shape::Plus => &[
            (-2, -5),
            (2, -5),
            (2, -2),
            (5, -2),
            (5, 2),
            (2, 2),
            (2, 5),
            (-2, 5),
            (-2, 2),
            (-5, 2),
            (-5, -2),
            (-2, -2),
        ],
        Shape::Cross => &[
            (-5, -3),
            (-3, -5),
            (0, -2),
            (3, -5),
            (5, -3),
            (2, 0),
            (5, 3),
            (3, 5),
            (0, 2),
            (-3, 5),
            (-5, 3),
            (-2, 0),
        ],
    }
}

/// The mark of a point, drawn around a place of any plot.
macro_rules! mark {
    ($place:expr, $point:expr, $colour:expr) => {{
        let (Point { shape, is_hollow }, colour) = ($point, $colour);
        let corners = corners(shape).to_vec();
        let outline: Vec<(i32, i32)> = corners.iter().chain(&corners[..1]).copied().collect();
        let inside = if is_hollow { WHITE } else { colour };
        EmptyElement::at($place)
            + Polygon::new(corners, inside.filled())
            + PathElement::new(outline, colour.stroke_width(1))
    }};
}
pub(crate) use mark;

/// An entry of a legend.
type Item = (Mark, RGBColor, String);

/// Where the entries of a legend stand, line by line, and the height of the strip that holds them.
fn places(items: &[Item]) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut y, mut places) = (30, 50, vec![]);
    for (mark, _, words) in items {
        let indent = if *mark == Mark::Nothing { -22 } else { 0 };
        let width = 44 + 8 * i32::try_from(words.chars().count()).unwrap_or(0) + indent;
        if x > 30 && x + width > WIDTH as i32 {
            (x, y) = (30, y + LINE);
        }
        places.push((x + indent, y));
        x += width;
    }
    (places, STRIP + y - 50)
}

/// Cuts a strip off the canvas, writes the title and below it the legend (mark, colour, words), and returns
/// the rest.
fn strip<'s>(
    canvas: &Canvas<'s>,
    title: &str,
    items: &[Item],
) -> Fallible<Canvas<'s>, Box<dyn std::error::Error>> {
    let (places, height) = places(items);
    let (head, body) = canvas.split_vertically(height);
    // A title of two long names still fits.
    let size = if title.chars().count() > 85 { 13 } else { 19 };
    head.draw(&Text::new(title.to_owned(), (24, 14), ("sans-serif", size)))?;
    for ((mark, colour, words), (x, y)) in items.iter().zip(places) {
        let line = [(x - 11, y), (x + 11, y)];
        match mark {
            Mark::Circle => head.draw(&Circle::new((x, y), 5, colour.filled()))?,
            Mark::Cross => head.draw(&Cross::new((x, y), 5, colour.stroke_width(2)))?,
            Mark::Triangle => head.draw(&TriangleMarker::new((x, y), 6, colour.filled()))?,
            Mark::Line(point) => {
                head.draw(&PathElement::new(line, colour.stroke_width(THICKNESS)))?;
                head.draw(&mark!((x, y), *point, *colour))?;
            }
            Mark::Nothing => {}
        }
        head.draw(&Text::new(words.clone(), (x + 14, y - 7), ("sans-serif", 15)))?;
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, verdict};

    fn judged() -> Log {
        let mut log = sample::log();
        verdict::judge(&mut log, &sample::index());
        log
    }

    const ALL: [&str; 3] = ["bitwuzla", "bivalve", "yices"];

    /// The words of all text elements of an SVG.
    fn words(svg: &str) -> Vec<&str> {
        svg.split("<text")
            .skip(1)
            .map(|text| text.split(['>', '<']).nth(1).unwrap_or_default().trim())
            .collect()
    }

    fn has(svg: &str, expected: &[&str]) {
        let words = words(svg);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        for word in expected {
            assert!(words.contains(word), "{word}: {words:?}");
        }
    }

    #[test]
    fn a_scatter_plot_says_who_when_and_what() {
        let svg = scatter(&judged(), "bivalve", "bitwuzla", Answers::All).unwrap();
        has(&svg, &["bivalve against bitwuzla: 6 files, 10 s of CPU time each", "sat (2)", "unsat (3)"]);
        has(&svg, &["several checks (1)", "bitwuzla, CPU seconds", "bivalve, CPU seconds", "x1", "x10"]);
        has(&svg, &["no answer", "bivalve is slower", "bivalve is faster", "0.1", "1", "10"]);
        let svg = scatter(&judged(), "bivalve", "bitwuzla", Answers::Sat).unwrap();
        has(&svg, &["bivalve against bitwuzla: 2 satisfiable files, 10 s of CPU time each", "sat (2)"]);
        assert!(!svg.contains("unsat ("));
    }

    #[test]
    fn a_cactus_plot_names_every_solver_and_what_it_solved() {
        let svg = cactus(&judged(), &ALL, Answers::All).unwrap();
        has(&svg, &["bivalve (3)", "bitwuzla (5)", "yices (3)", "files solved", "CPU seconds for one file"]);
        let svg = cactus(&judged(), &ALL, Answers::Unsat).unwrap();
        has(&svg, &["bivalve (1)", "bitwuzla (2)", "yices (1)", "unsatisfiable files solved"]);
    }

    #[test]
    fn plots_of_almost_nothing_can_be_drawn() {
        let mut log = sample::log();
        log.retain(|run| run.solver == "bivalve" && !run.status.is_solved());
        has(&cactus(&log, &["bivalve"], Answers::All).unwrap(), &["bivalve (0)"]);
        let mut one = sample::log().get("bitwuzla", "perf/a/quick.smt2").unwrap().clone();
        one.cpu = 0.0;
        one.timeout = 0.5;
        log.insert(one);
        has(&scatter(&log, "bivalve", "bitwuzla", Answers::All).unwrap(), &["x1"]);
        has(&cactus(&log, &ALL, Answers::Sat).unwrap(), &["bitwuzla (1)"]);
    }

    #[test]
    fn lines_are_named_and_axes_have_words() {
        let all =
            [("two".to_owned(), vec![(1.0, 1.0), (10.0, 8.0), (1000.0, 90.0)]), ("none".into(), vec![])];
        let drawn = Lines { title: "What was seen", axes: ["workers", "speed-up"], lines: &all };
        has(&lines(&drawn).unwrap(), &["What was seen", "workers", "speed-up", "two", "none", "10", "100"]);
        has(&lines(&Lines { lines: &[], ..drawn }).unwrap(), &["What was seen"]);
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
        assert_eq!(file_name("bitwuzla:a=1 b/2"), "bitwuzla-a=1-b-2");
    }

    #[test]
    fn a_long_legend_has_several_lines() {
        let point = Point { shape: Shape::Disc, is_hollow: false };
        let items =
            |count| vec![(Mark::Line(point), BLACK, "sat=cadical approx=none (1234)".to_owned()); count];
        assert_eq!(places(&items(2)), (vec![(30, 50), (314, 50)], STRIP));
        let (places, height) = places(&items(20));
        assert_eq!(height, STRIP + 9 * LINE);
        assert!(places.iter().all(|&(x, y)| x + 284 <= WIDTH as i32 && y < height));
    }
}
