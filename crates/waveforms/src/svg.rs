//! A run as a picture: a title, and below it a row for each signal, a column for each frame, drawn with the
//! crate `plotters`. A long run is folded: further frames stand in further bands below, each with the names,
//! so that the picture is no wider than a page.
//!
//! A bit is a line that is high or low, a word a lane with its value in hexadecimal, which ends where the
//! value changes. What is unknown is grey. A value that does not fit into its lane is left out where it was
//! cut, which an ellipsis shows. Cost: linear in the values.

use crate::signals::{Signal, signals};
use bivalve_systems::{Design, Edge, Run, System};
use bivalve_terms::Pool;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::io;

/// Pixels: a row, a column of a frame, the part of a row that a signal takes, a letter, a margin.
const ROW: i32 = 28;
const COLUMN: i32 = 72;
const HIGH: i32 = 18;
const LETTER: i32 = 8;
const MARGIN: i32 = 12;

/// Pixels of the widest picture, unless the names leave no room for so many frames in it.
const PAGE: i32 = 1200;
const LEAST_FRAMES: i32 = 4;

/// Pixels above the first band, and the height of the letters there.
const HEAD: i32 = 34;
const TITLE: i32 = 16;

/// A letter's height, and where the text of a row begins below its top.
const FONT: i32 = 13;
const TEXT: i32 = 9;

const INK: RGBColor = RGBColor(31, 41, 55);
const GRID: RGBColor = RGBColor(222, 226, 232);
const BIT: RGBColor = RGBColor(5, 122, 85);
const WORD: RGBColor = RGBColor(29, 78, 216);
const UNKNOWN: RGBColor = RGBColor(156, 163, 175);

/// Writes runs as a picture in SVG with a title: the signals of these names in this order, or all if there
/// are none. A name is the path of a signal with dots.
///
/// # Errors
///
/// If there is no signal of a name, or writing fails.
///
/// # Panics
///
/// If the runs are not of one length, or not of this system.
pub fn write_svg(
    mut out: impl io::Write,
    pool: &Pool,
    system: &System,
    design: &Design,
    runs: &[Run],
    title: &str,
    names: &[String],
) -> io::Result<()> {
    let signals = signals(pool, system, design, runs);
    let named = |name: &String| {
        let found = signals.iter().find(|signal| full_name(signal) == *name);
        found.ok_or_else(|| io::Error::other(format!("there is no signal '{name}'")))
    };
    let rows: Vec<&Signal> = match names {
        [] => signals.iter().collect(),
        names => names.iter().map(named).collect::<io::Result<_>>()?,
    };
    let picture = picture(title, &rows).map_err(io::Error::other)?;
    out.write_all(picture.as_bytes())?;
    out.flush()
}

/// The path below the scope that holds all others.
fn full_name(signal: &Signal) -> String {
    signal.path[1..].join(".")
}

type Canvas<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

fn picture(title: &str, rows: &[&Signal]) -> Result<String, String> {
    let frames = rows.first().map_or(0, |signal| signal.values.len()) as i32;
    let letters = rows.iter().map(|signal| full_name(signal).chars().count()).max().unwrap_or(0) as i32;
    let left = 2 * MARGIN + LETTER * letters;
    let fitting = ((PAGE - left - MARGIN) / COLUMN).max(LEAST_FRAMES);
    let (columns, band) = (frames.min(fitting), ROW * (rows.len() as i32 + 1) + MARGIN);
    let starts: Vec<i32> = (0..frames.max(1)).step_by(fitting as usize).collect();
    let size = (left + COLUMN * columns.max(LEAST_FRAMES) + MARGIN, HEAD + band * starts.len() as i32);
    let letters = ((size.0 - 2 * MARGIN) * FONT / (LETTER * TITLE)).max(1) as usize;
    let mut svg = String::new();
    let size = (size.0.unsigned_abs(), size.1.unsigned_abs());
    let drawn = {
        let canvas = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let style = ("monospace", TITLE).into_font().color(&INK);
        canvas
            .fill(&WHITE)
            .and_then(|()| canvas.draw(&Text::new(cut(title.to_owned(), letters), (MARGIN, MARGIN), style)))
            .and_then(|()| {
                starts.iter().zip(0..).try_for_each(|(&start, number)| {
                    let place =
                        Band { left, top: HEAD + band * number, start, end: frames.min(start + fitting) };
                    place.draw(&canvas, rows)
                })
            })
            .and_then(|()| canvas.present())
            .map_err(|error| error.to_string())
    };
    drawn.map(|()| svg)
}

/// A part of the frames, with all signals.
#[derive(Clone, Copy)]
struct Band {
    /// Pixels to the first frame, and to the top.
    left: i32,
    top: i32,
    /// The first frame, and that behind the last one.
    start: i32,
    end: i32,
}

impl Band {
    fn draw(self, canvas: &Canvas<'_>, rows: &[&Signal]) -> Drawn {
        self.grid(canvas, rows.len() as i32)?;
        rows.iter().zip(1..).try_for_each(|(signal, row)| self.lane(canvas, self.top + ROW * row, signal))
    }

    /// Where a frame begins.
    fn x(self, frame: i32) -> i32 {
        self.left + COLUMN * (frame - self.start)
    }

    /// The background: a line where each frame begins, with its number above it.
    fn grid(self, canvas: &Canvas<'_>, rows: i32) -> Drawn {
        for frame in self.start..=self.end {
            let (x, top) = (self.x(frame), self.top);
            let line = [(x, top + ROW - 6), (x, top + ROW * (rows + 1))];
            canvas.draw(&PathElement::new(line, GRID.stroke_width(1)))?;
            if frame < self.end {
                text(canvas, &frame.to_string(), (x + 4, top + TEXT), &UNKNOWN)?;
            }
        }
        Ok(())
    }

    /// The row of a signal.
    fn lane(self, canvas: &Canvas<'_>, top: i32, signal: &Signal) -> Drawn {
        text(canvas, &full_name(signal), (MARGIN, top + TEXT), &INK)?;
        if let Some(edge) = signal.clock {
            return (self.start..self.end).try_for_each(|frame| self.tick(canvas, top, frame, edge));
        }
        let mut from = self.start as usize;
        while from < self.end as usize {
            let value = &signal.values[from];
            let length =
                signal.values[from..self.end as usize].iter().take_while(|other| *other == value).count();
            let x = [from, from + length].map(|frame| self.x(frame as i32));
            let before = from.checked_sub(1).map(|before| signal.values[before].as_str());
            match signal.width {
                1 => bit(canvas, x, top, before, value)?,
                _ => word(canvas, x, top, value)?,
            }
            from += length;
        }
        Ok(())
    }

    /// A frame of a clock: the edge with which it begins, and the other one in its middle.
    fn tick(self, canvas: &Canvas<'_>, top: i32, frame: i32, edge: Edge) -> Drawn {
        let [first, second] = Signal::halves(edge);
        let (from, to) = (self.x(frame), self.x(frame + 1));
        let middle = i32::midpoint(from, to);
        let before = (frame > 0).then_some(second);
        bit(canvas, [from, middle], top, before, first)?;
        bit(canvas, [middle, to], top, Some(first), second)
    }
}

/// A stretch of equal bits, with the edge that leads to it.
fn bit(canvas: &Canvas<'_>, [from, to]: [i32; 2], top: i32, before: Option<&str>, value: &str) -> Drawn {
    let height = |value: &str| match value {
        "1" => top + ROW - 4 - HIGH,
        "0" => top + ROW - 4,
        _ => top + ROW - 4 - HIGH / 2,
    };
    let colour = if value == "x" { UNKNOWN } else { BIT };
    let y = height(value);
    let start = (from, before.map_or(y, height));
    canvas.draw(&PathElement::new([start, (from, y), (to, y)], colour.stroke_width(2)))
}

/// A stretch of equal words.
fn word(canvas: &Canvas<'_>, [from, to]: [i32; 2], top: i32, bits: &str) -> Drawn {
    let colour = if bits.contains('x') { UNKNOWN } else { WORD };
    let (high, low) = (top + ROW - 4 - HIGH, top + ROW - 4);
    let middle = i32::midpoint(high, low);
    let outline =
        [(from, middle), (from + 5, high), (to - 5, high), (to, middle), (to - 5, low), (from + 5, low)];
    canvas.draw(&Polygon::new(outline, colour.mix(0.08)))?;
    let closed: Vec<(i32, i32)> = outline.into_iter().chain([outline[0]]).collect();
    canvas.draw(&PathElement::new(closed, colour.stroke_width(1)))?;
    let room = ((to - from - 16) / LETTER).max(1) as usize;
    text(canvas, &cut(hexadecimal(bits), room), (from + 9, top + TEXT), &INK)
}

/// A text of at most so many letters; an ellipsis shows where it was cut.
fn cut(text: String, letters: usize) -> String {
    match text.chars().count() <= letters {
        true => text,
        false => text.chars().take(letters.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Digits of four bits, most significant first; `x` where a bit is unknown.
fn hexadecimal(bits: &str) -> String {
    let digits = bits.as_bytes().rchunks(4).rev().map(|four| {
        let four = std::str::from_utf8(four).unwrap_or("x");
        u8::from_str_radix(four, 2).map_or("x".to_owned(), |digit| format!("{digit:x}"))
    });
    digits.collect()
}

fn text(canvas: &Canvas<'_>, words: &str, at: (i32, i32), colour: &RGBColor) -> Drawn {
    canvas.draw(&Text::new(words.to_owned(), at, ("monospace", FONT).into_font().color(colour)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Kind;

    fn signal(name: &str, values: &[&str]) -> Signal {
        let path = ["system", "top", name].map(str::to_owned).to_vec();
        let width = values[0].len() as u32;
        Signal {
            path,
            kind: Kind::Wire,
            width,
            values: values.iter().map(|&value| value.to_owned()).collect(),
            clock: None,
        }
    }

    #[test]
    fn rows_have_names_values_and_what_is_unknown() {
        let wide = "1".repeat(64);
        let (flag, word) =
            (signal("flag", &["0", "1", "x"]), signal("<word>", &["1010011", "1010011", "00x0000"]));
        let long = signal("long", &[&wide, &"0".repeat(64), &wide]);
        let picture = picture("a run", &[&flag, &word, &long]).unwrap();
        let count = |text: &str| picture.matches(text).count();
        assert_eq!(["top.flag", "top.&lt;word&gt;", ">\n53\n<", "x0", "ffffff…"].map(count), [1, 1, 1, 1, 2]);
        assert_eq!(count("…"), 3);
        assert_eq!(count(">\na run\n<"), 1);
    }

    /// A run of 100 frames once was a picture of 7,300 pixels.
    #[test]
    fn long_runs_are_folded() {
        let values: Vec<String> = (0..100).map(|frame| format!("{frame:08b}")).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let title = "t".repeat(500);
        let width = |picture: &str| -> i32 {
            picture.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let picture = picture(&title, &[&signal("count", &values)]).unwrap();
        assert!(width(&picture) <= PAGE, "{}", width(&picture));
        assert_eq!(picture.matches(">\ntop.count\n<").count(), 7);
        // Each frame has its number once, and each value is shown.
        for frame in 0..100 {
            let number = picture.matches(&format!(">\n{frame}\n<")).count();
            assert!(number >= 1 && picture.contains(&format!(">\n{frame:02x}\n<")), "{frame}");
        }
        assert_eq!(picture.matches('…').count(), 1);
        // Where the names take the page, some frames stand beside them all the same.
        let wide = super::picture("", &[&signal(&"n".repeat(200), &values[..9])]).unwrap();
        assert_eq!(wide.matches("nnn\n<").count(), 3);
    }

    #[test]
    fn digits_are_of_four_bits() {
        assert_eq!(["1", "10000", "1x0000", "11110101"].map(hexadecimal), ["1", "10", "x0", "f5"]);
    }
}
