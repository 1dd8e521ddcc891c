//! Lines over two logarithmic axes, for what is no measurement of solvers.
//!
//! Lines look as those of the cactus plot do: a colour and a shape of marks each.

use super::cactus::{Look, look};
use super::{Canvas, Drawn, Item, Mark, THICKNESS, mark, seconds, strip};
use super::{Point, corners};
use plotters::prelude::*;

/// A line: its name in the legend, and its points.
pub type Line = (String, Vec<(f64, f64)>);

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Words at the axes, across and up.
    pub axes: [&'a str; 2],
    /// The lines; points above zero.
    pub lines: &'a [Line],
}

/// Draws the plot.
pub(crate) fn draw(canvas: &Canvas<'_>, drawn: &Lines<'_>) -> Drawn {
    let legend = |(nth, (name, _)): (usize, &Line)| {
        let Look { colour, point } = look(nth);
        (Mark::Line(point), colour, name.clone())
    };
    let legend: Vec<Item> = drawn.lines.iter().enumerate().map(legend).collect();
    let body = strip(canvas, drawn.title, &legend)?;
    let points = || drawn.lines.iter().flat_map(|(_, points)| points);
    let span = |of: fn(&(f64, f64)) -> f64| {
        let least = points().map(of).fold(f64::INFINITY, f64::min).min(1e12);
        let most = points().map(of).fold(least * 2.0, f64::max);
        (least / 1.2..most * 1.3).log_scale()
    };
    let mut chart = ChartBuilder::on(&body)
        .margin(14)
        .margin_right(24)
        .x_label_area_size(52)
        .y_label_area_size(72)
        .build_cartesian_2d(span(|point| point.0), span(|point| point.1))?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .x_desc(drawn.axes[0])
        .y_desc(drawn.axes[1])
        .axis_desc_style(("sans-serif", 17))
        .label_style(("sans-serif", 15))
        .x_label_formatter(&seconds)
        .y_label_formatter(&seconds)
        .draw()?;
    for (nth, (_, points)) in drawn.lines.iter().enumerate() {
        let line = points.iter().copied();
        chart.draw_series(LineSeries::new(line, look(nth).colour.stroke_width(THICKNESS)))?;
    }
    for (nth, (_, points)) in drawn.lines.iter().enumerate() {
        let Look { colour, point } = look(nth);
        chart.draw_series(points.iter().map(|&at| mark!(at, point, colour)))?;
    }
    Ok(())
}
