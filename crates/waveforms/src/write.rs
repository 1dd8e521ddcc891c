//! The two formats: VCD (IEEE 1364) by the crate `vcd`, FST by the crate `fst-writer`.
//!
//! Only changes are written, and a last time stamp that ends the last frame.

use crate::signals::{Item, Kind, Signal, layout, signals};
use bivalve_systems::{Design, Run, System};
use bivalve_terms::Pool;
use fst_writer::{
    FstFileType, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType, FstWriteError, open_fst,
};
use std::io;
use std::path::Path;
use vcd::{IdCode, TimescaleUnit, VarType};

const GENERATOR: &str = concat!("bivalve ", env!("CARGO_PKG_VERSION"));

/// Writes runs as VCD.
///
/// # Errors
///
/// If writing fails.
///
/// # Panics
///
/// If the runs are not of one length, or not of this system.
pub fn write_vcd(
    out: impl io::Write,
    pool: &Pool,
    system: &System,
    design: &Design,
    runs: &[Run],
) -> io::Result<()> {
    let signals = signals(pool, system, design, runs);
    let mut writer = vcd::Writer::new(out);
    writer.version(GENERATOR)?;
    writer.timescale(1, TimescaleUnit::NS)?;
    let mut codes: Vec<IdCode> = vec![];
    for item in layout(&signals) {
        match item {
            Item::Open(name) => writer.add_module(name)?,
            Item::Close => writer.upscope()?,
            Item::Signal(number) => {
                let signal = &signals[number];
                let kind = if signal.kind == Kind::Register { VarType::Reg } else { VarType::Wire };
                codes.push(writer.add_var(kind, signal.width, name(signal), None)?);
            }
        }
    }
    writer.enddefinitions()?;
    for (time, changed) in changes(&signals).into_iter().enumerate() {
        writer.timestamp(time as u64)?;
        for (number, bits) in changed {
            let bits = bits.chars().map(|digit| match digit {
                '0' => vcd::Value::V0,
                '1' => vcd::Value::V1,
                _ => vcd::Value::X,
            });
            match signals[number].width {
                1 => bits.clone().try_for_each(|bit| writer.change_scalar(codes[number], bit))?,
                _ => writer.change_vector(codes[number], bits)?,
            }
        }
    }
    writer.flush()
}

/// Writes runs as FST.
///
/// # Errors
///
/// If the file cannot be written.
///
/// # Panics
///
/// If the runs are not of one length, or not of this system.
pub fn write_fst(path: &Path, pool: &Pool, system: &System, design: &Design, runs: &[Run]) -> io::Result<()> {
    let signals = signals(pool, system, design, runs);
    fst(path, &signals).map_err(|error| match error {
        FstWriteError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    })
}

fn fst(path: &Path, signals: &[Signal]) -> Result<(), FstWriteError> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: GENERATOR.into(),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = open_fst(path, &info)?;
    let mut ids = vec![];
    for item in layout(signals) {
        match item {
            Item::Open(name) => header.scope(name, "", FstScopeType::Module)?,
            Item::Close => header.up_scope()?,
            Item::Signal(number) => {
                let signal = &signals[number];
                let (kind, direction) = match signal.kind {
                    Kind::Register => (FstVarType::Reg, FstVarDirection::Implicit),
                    Kind::Input => (FstVarType::Wire, FstVarDirection::Input),
                    Kind::Wire => (FstVarType::Wire, FstVarDirection::Implicit),
                };
                let width = FstSignalType::bit_vec(signal.width);
                ids.push(header.var(name(signal), width, kind, direction, None)?);
            }
        }
    }
    let mut body = header.finish()?;
    for (time, changed) in changes(signals).into_iter().enumerate() {
        body.time_change(time as u64)?;
        for (number, bits) in changed {
            body.signal_change(ids[number], bits.as_bytes())?;
        }
    }
    body.finish()?;
    Ok(())
}

fn name(signal: &Signal) -> &str {
    signal.path.last().expect("a path has a name")
}

/// The signals that change at each time, by their numbers, with their new bits; at the last time, after all
/// frames, none does. Where there are clocks, each frame has two times.
fn changes(signals: &[Signal]) -> Vec<Vec<(usize, &str)>> {
    let frames = signals.first().map_or(0, |signal| signal.values.len());
    let halves = if signals.iter().any(|signal| signal.clock.is_some()) { 2 } else { 1 };
    let at = |number: usize, time: usize| match signals[number].clock {
        Some(edge) => Signal::halves(edge)[time % 2],
        None => &signals[number].values[time / halves],
    };
    let changed = |time: usize| {
        let now = (0..signals.len()).map(|number| (number, at(number, time)));
        now.filter(|&(number, bits)| time == 0 || at(number, time - 1) != bits).collect()
    };
    (0..frames * halves).map(changed).chain([vec![]]).collect()
}
