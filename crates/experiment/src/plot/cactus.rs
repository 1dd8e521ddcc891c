//! All solvers in one plot: how many files each solves when every file gets so much time.
//!
//! A solver's times on the files it solved, sorted, drawn as time (up, logarithmic) over rank (across).
//! Further right is more solved, lower is faster. Each solver has its own sorted order, so the plot does not
//! say which files; the scatter plots do. Colours come round after six solvers; the second round is dashed,
//! and so on with shorter dashes.

use super::{Answers, COLOURS, Canvas, Drawn, FLOOR, Item, LEAD, Mark, least, limit, seconds, strip};
use crate::log::Log;
use plotters::prelude::*;

/// Draws the plot.
pub(crate) fn draw(
    canvas: &Canvas<'_>,
    log: &Log,
    solvers: &[&str],
    hero: Option<&str>,
    answers: Answers,
) -> Drawn {
    let curves: Vec<(&str, Look, Vec<f64>)> = solvers
        .iter()
        .map(|&solver| (solver, look(solvers, hero, solver), times(log, solver, answers)))
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
        .map(|(solver, look, times)| {
            let mark = if look.round == 0 { Mark::Line } else { Mark::Dashes };
            (mark, look.colour, format!("{solver} ({})", times.len()))
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
    for (solver, Look { colour, round }, times) in &curves {
        let style = colour.stroke_width(if hero == Some(solver) { 3 } else { 2 });
        let line = (1_u32..).zip(times).map(|(rank, time)| (f64::from(rank), *time));
        if *round == 0 {
            chart.draw_series(LineSeries::new(line.clone(), style))?;
        } else {
            chart.draw_series(DashedLineSeries::new(line.clone(), 9 / round + 1, 4, style))?;
        }
        if times.len() <= 60 {
            chart.draw_series(line.map(|at| Circle::new(at, 3, colour.filled())))?;
        }
    }
    Ok(())
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
struct Look {
    colour: RGBColor,
    /// How often the colours came round before.
    round: u32,
}

/// Black for the one that stands out, the palette in turn for the others.
fn look(solvers: &[&str], hero: Option<&str>, solver: &str) -> Look {
    let mut others = solvers.iter().filter(|&&other| hero != Some(other));
    match others.position(|&other| other == solver) {
        None => Look { colour: BLACK, round: 0 },
        Some(nth) => Look { colour: COLOURS[nth % COLOURS.len()], round: (nth / COLOURS.len()) as u32 },
    }
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
        let names: Vec<String> = (0..14).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let looks: Vec<Look> = names.iter().map(|name| look(&names, Some("3"), name)).collect();
        assert_eq!(looks[3], Look { colour: BLACK, round: 0 });
        for (nth, one) in looks.iter().enumerate() {
            assert!(looks[..nth].iter().all(|other| other != one), "{nth}");
        }
    }
}
