//! All solvers in one plot: how many files each solves when every file gets so much time.
//!
//! A solver's times on the files it solved, sorted, drawn as time (up, logarithmic) over rank (across).
//! Further right is more solved, lower is faster. Each solver has its own sorted order, so the plot does not
//! say which files; the scatter plots do. All lines are alike: as thick, and with as many marks. A solver has
//! a colour and a shape of its marks; colours come round after six solvers, shapes after seven, hollow then,
//! so that fourteen can be told apart without colours.

use super::{Answers, COLOURS, Canvas, Drawn, FLOOR, Item, LEAD, Mark, Point, SHAPES, THICKNESS};
use super::{corners, least, limit, mark, seconds, strip};
use crate::log::Log;
use plotters::prelude::*;

/// Draws the plot.
pub(crate) fn draw(canvas: &Canvas<'_>, log: &Log, solvers: &[&str], answers: Answers) -> Drawn {
    let curves: Vec<(&str, Look, Vec<f64>)> = solvers
        .iter()
        .enumerate()
        .map(|(nth, &solver)| (solver, look(nth), times(log, solver, answers)))
        .collect();
    let limit = limit(log);
    let most = curves.iter().map(|(_, _, times)| times.len()).max().unwrap_or(0);
    let title = match answers {
        Answers::All => format!("Files solved, of {}, within {limit} s of CPU time", log.instances().len()),
        Answers::Sat | Answers::Unsat => {
            format!("{} solved within {limit} s of CPU time", answers.instances())
        }
    };
    let legend: Vec<Item> = curves
        .iter()
        .map(|(solver, Look { colour, point }, times)| {
            (Mark::Line(*point), *colour, format!("{solver} ({})", times.len()))
        })
        .collect();
    let body = strip(canvas, &title, &legend)?;

    let mut chart = ChartBuilder::on(&body)
        .margin(14)
        .margin_right(24)
        .x_label_area_size(52)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..(most.max(1) as f64 * 1.02), (least(log) / LEAD..limit * 1.3).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .x_labels(most.clamp(1, 12))
        .x_desc(format!("{} solved", answers.instances()))
        .y_desc("CPU seconds for one file")
        .axis_desc_style(("sans-serif", 17))
        .label_style(("sans-serif", 15))
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&seconds)
        .draw()?;
    for (_, Look { colour, .. }, times) in &curves {
        let line = times.iter().enumerate().map(|(nth, &time)| at(nth, time));
        chart.draw_series(LineSeries::new(line, colour.stroke_width(THICKNESS)))?;
    }
    // Above all lines, so that none hides a mark.
    for (_, Look { colour, point }, times) in &curves {
        chart.draw_series(marked(times.len()).map(|nth| mark!(at(nth, times[nth]), *point, *colour)))?;
    }
    Ok(())
}

/// The place of a time in its order.
fn at(nth: usize, time: f64) -> (f64, f64) {
    (nth as f64 + 1.0, time)
}

/// Marks of a line.
const MARKS: usize = 12;

/// The places of a line of so many that have a mark: the first, the last, and some between them.
fn marked(count: usize) -> impl Iterator<Item = usize> {
    let marks = count.min(MARKS);
    (0..marks).map(move |mark| mark * (count - 1) / (marks - 1).max(1))
}

/// Seconds on the instances that the solver solved, sorted.
fn times(log: &Log, solver: &str, answers: Answers) -> Vec<f64> {
    let solved = log.of(solver).filter(|run| answers.include(run.status));
    let mut times: Vec<f64> = solved.map(|run| run.cpu.max(FLOOR)).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) colour: RGBColor,
    pub(super) point: Point,
}

/// How the curve of this number is drawn.
pub(super) fn look(nth: usize) -> Look {
    let (shape, is_hollow) = (SHAPES[nth % SHAPES.len()], (nth / SHAPES.len()) % 2 == 1);
    Look { colour: COLOURS[nth % COLOURS.len()], point: Point { shape, is_hollow } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn times_are_sorted_and_only_of_solved_files() {
        assert_eq!(times(&sample::log(), "bitwuzla", Answers::All), [1.0, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(times(&sample::log(), "bitwuzla", Answers::Sat), [1.0, 4.0]);
    }

    #[test]
    fn solvers_look_different() {
        let looks: Vec<Look> = (0..42).map(look).collect();
        for (nth, one) in looks.iter().enumerate() {
            assert!(looks[..nth].iter().all(|other| other != one), "{nth}");
            assert!(looks[..nth.min(14)].iter().all(|other| nth > 13 || other.point != one.point), "{nth}");
        }
    }

    /// Lines of many files once had no marks beside those of few.
    #[test]
    fn lines_have_as_many_marks() {
        let of = |count| marked(count).collect::<Vec<_>>();
        assert_eq!((of(0), of(1), of(3)), (vec![], vec![0], vec![0, 1, 2]));
        for count in [12, 61, 5000] {
            let marks = of(count);
            assert_eq!((marks.len(), marks[0], marks[11]), (12, 0, count - 1));
        }
    }
}
