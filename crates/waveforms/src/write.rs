//! The two formats: VCD (IEEE 1364) by the crate `vcd`, FST by the crate `fst-writer`.
//!
//! Only changes are written, and a last time stamp that ends the last frame.

use crate::signals::{Item, Kind, Signal, layout, signals};
use bivalve_systems::{Run, System};
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
pub fn write_vcd(out: impl io::Write, pool: &Pool, system: &System, runs: &[Run]) -> io::Result<()> {
    let signals = signals(pool, system, runs);
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
        for number in changed {
            let bits = signals[number].values[time].chars().map(|digit| match digit {
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
pub fn write_fst(path: &Path, pool: &Pool, system: &System, runs: &[Run]) -> io::Result<()> {
    let signals = signals(pool, system, runs);
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
        for number in changed {
            body.signal_change(ids[number], signals[number].values[time].as_bytes())?;
        }
    }
    body.finish()?;
    Ok(())
}

fn name(signal: &Signal) -> &str {
    signal.path.last().expect("a path has a name")
}

/// The numbers of the signals that change at each time; at the last time, after all frames, none does.
fn changes(signals: &[Signal]) -> Vec<Vec<usize>> {
    let frames = signals.first().map_or(0, |signal| signal.values.len());
    let differs = |signal: &Signal, time: usize| time == 0 || signal.values[time] != signal.values[time - 1];
    let at =
        |time: usize| (0..signals.len()).filter(|&s| time < frames && differs(&signals[s], time)).collect();
    (0..=frames).map(at).collect()
}
