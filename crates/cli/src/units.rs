//! Times and sizes as they are typed.
//!
//! A time is a number with a unit, or several of them (`500ms`, `1.5s`, `1min`, `2h`, `1h 30min`); a number
//! alone is seconds. A size is a number with a unit: `K`, `M`, `G`, `T` and `KiB`, `MiB`, `GiB`, `TiB` are
//! powers of 1024, as for other limits of memory (systemd, Docker, Slurm), and `kB`, `MB`, `GB`, `TB` are
//! powers of 1000; a number alone is megabytes of 1024 times 1024 bytes. The libraries `humantime` and
//! `bytesize` read the units.

use bytesize::ByteSize;
use std::time::Duration;

/// A time, which may be zero.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let time = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    time.ok_or_else(|| format!("expected a time such as 10 (seconds), 1.5s, 500ms or 2min, found '{text}'"))
}

/// A size in bytes.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let whole = match unit.trim() {
        "" => format!("{text}MiB"),
        "K" | "M" | "G" | "T" | "k" | "m" | "g" | "t" => format!("{text}iB"),
        _ => text.to_owned(),
    };
    // What is too large is the greatest number to the library.
    let size = whole.parse().ok().map(|ByteSize(bytes)| bytes).filter(|&bytes| bytes < u64::MAX);
    size.ok_or_else(|| {
        format!("expected a size such as 800 (megabytes), 512MiB, 1.5G or 2GB, found '{text}'")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        let milliseconds = |text| parse_duration(text).map(|time| time.as_millis());
        for (text, expected) in [
            ("10", 10_000),
            ("0", 0),
            ("0.25", 250),
            ("1.5s", 1_500),
            ("20ms", 20),
            ("500 ms", 500),
            ("2m", 120_000),
            ("1min", 60_000),
            ("2h", 7_200_000),
            ("1h 30min", 5_400_000),
        ] {
            assert_eq!(milliseconds(text), Ok(expected), "{text}");
        }
        for text in ["", "5x", "-1", "ten", "nan", "inf", "1e30", "99999999999999999999h", "s", "1.s"] {
            let refusal = milliseconds(text).unwrap_err();
            assert!(refusal.ends_with(&format!("or 2min, found '{text}'")), "{refusal}");
        }
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, expected) in [
            ("800", 800 << 20),
            ("0.5", 1 << 19),
            ("500MB", 500_000_000),
            ("512MiB", 512 << 20),
            ("512 MiB", 512 << 20),
            ("800M", 800 << 20),
            ("64k", 64 << 10),
            ("2G", 2 << 30),
            ("1.5G", 3 << 29),
            ("2GB", 2_000_000_000),
            ("1T", 1 << 40),
            ("100B", 100),
        ] {
            assert_eq!(parse_bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "many", "-1", "5X", "G", "1..5G", "99999999999999G", "1e3"] {
            let refusal = parse_bytes(text).unwrap_err();
            assert!(refusal.ends_with(&format!("or 2GB, found '{text}'")), "{refusal}");
        }
    }
}
