//! All solvers in one plot: how many files each solves when every file gets so much time.
//!
//! A solver's times on the files it solved, sorted, drawn as time (up, logarithmic) over rank (across). Further right
//! is more solved, lower is faster. Each solver has its own sorted order, so the plot does not say which files; the
//! scatter plots do. Bivalve is the thick black line.

use super::{Canvas, Drawn, FLOOR, LEAD, Mark, PEERS, STRIP, least, limit, seconds, strip};
use crate::bench::log::{Log, OURS};
use plotters::prelude::*;

/// Draws the plot.
pub(super) fn draw(canvas: &Canvas<'_>, log: &Log) -> Drawn {
    let curves: Vec<(&str, RGBColor, Vec<f64>)> =
        log.solvers().map(|solver| (solver, colour(log, solver), times(log, solver))).collect();
    let limit = limit(log);
    let most = curves.iter().map(|(_, _, times)| times.len()).max().unwrap_or(0);
    let (head, body) = canvas.split_vertically(STRIP);
    let title = format!("Files solved, of {}, within {limit} s of CPU time", log.files().len());
    let legend: Vec<(Mark, RGBColor, String)> = curves
        .iter()
        .map(|(solver, colour, times)| (Mark::Line, *colour, format!("{solver} ({})", times.len())))
        .collect();
    strip(&head, &title, &legend)?;

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
        .x_desc("files solved")
        .y_desc("CPU seconds for one file")
        .axis_desc_style(("sans-serif", 17))
        .label_style(("sans-serif", 15))
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&seconds)
        .draw()?;
    for (solver, colour, times) in &curves {
        let width = if *solver == OURS { 3 } else { 2 };
        let line = (1_u32..).zip(times).map(|(rank, time)| (f64::from(rank), *time));
        chart.draw_series(LineSeries::new(line.clone(), colour.stroke_width(width)))?;
        if times.len() <= 60 {
            chart.draw_series(line.map(|at| Circle::new(at, 3, colour.filled())))?;
        }
    }
    Ok(())
}

/// Seconds on the files that the solver solved, sorted.
fn times(log: &Log, solver: &str) -> Vec<f64> {
    let solved = log.of(solver).filter(|run| run.status.is_solved());
    let mut times: Vec<f64> = solved.map(|run| run.cpu.max(FLOOR)).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Black for Bivalve, the palette in turn for the peers.
fn colour(log: &Log, solver: &str) -> RGBColor {
    let nth = log.peers().position(|peer| peer == solver);
    nth.map_or(BLACK, |nth| PEERS[nth % PEERS.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    #[test]
    fn times_are_sorted_and_only_of_solved_files() {
        let times = times(&sample::log(), "bitwuzla");
        assert_eq!(times, [1.0, 2.0, 3.0, 4.0, 6.0]);
    }

    #[test]
    fn solvers_have_different_colours() {
        let log = sample::log();
        assert_eq!(colour(&log, OURS), BLACK);
        assert_ne!(colour(&log, "bitwuzla"), colour(&log, "yices"));
    }
}
