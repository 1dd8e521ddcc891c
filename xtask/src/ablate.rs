//! `cargo xtask ablate`: what each pass of simplification is worth.
//!
//! The files are decided with all passes and then with each pass off in turn, or at each level of rewriting:
//! columns of one `bivalve experiment`, whose log, table and resuming these are. Beside solved files, PAR-2
//! and CPU time on what all columns solved, the table shows the means of gates, of symbols eliminated, and of
//! the seconds that simplification and the whole took: a pass that does not pay is to be off or gone, and
//! simplification is to stay a small share.
//!
//! Cost: as many runs as files times columns, one at a time unless told otherwise, for times are to be
//! compared.

use crate::args::AblateArgs;
use crate::bench::{release_build, select};
use crate::error::{Error, Result};
use crate::place::Place;
use bivalve::preprocess::PASSES;
use std::process::{Command, ExitCode};

/// The numbers of the solver that the table shows.
const SHOWN: [&str; 4] = ["gates", "eliminated", "seconds.rewrite", "total_seconds"];

/// Makes the measurement, or what is missing of it, and prints the table.
pub(crate) fn run(place: &Place, args: &AblateArgs) -> Result<ExitCode> {
    let vary = dimension(args)?;
    let binary = match &args.bivalve {
        Some(path) => path.clone(),
        None => release_build(place)?,
    };
    let problems = select::pick(place, &args.pick)?;
    let out = args.out.clone().unwrap_or_else(|| place.root().join("target/ablate"));
    std::fs::create_dir_all(&out).map_err(Error::io(&out))?;
    let list = out.join("files.list");
    let lines: String = problems
        .iter()
        .map(|problem| place.collection().join(&problem.file).display().to_string() + "\n")
        .collect();
    std::fs::write(&list, lines).map_err(Error::io(&list))?;
    let mut command = Command::new(&binary);
    command.arg("experiment").arg("--list").arg(&list).arg("--out").arg(&out).args(["--vary", &vary]);
    command.args(["--time-limit", &args.time_limit, "--jobs", &args.jobs.to_string()]);
    command.args(SHOWN.iter().flat_map(|number| ["--show", number]));
    let status = command.status().map_err(Error::io(&binary))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

/// What varies: which pass is off, or the level.
fn dimension(args: &AblateArgs) -> Result<String> {
    if args.levels {
        return Ok("rewrite-level=0,1,2,3".to_owned());
    }
    let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    if let Some(unknown) = args.passes.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Error::Usage(format!("`{unknown}` is no pass; there are {}", known.join(", "))));
    }
    let chosen =
        known.iter().filter(|name| args.passes.is_empty() || args.passes.iter().any(|pass| pass == *name));
    let values: Vec<&str> = std::iter::once("none").chain(chosen.copied()).collect();
    Ok(format!("without-passes={}", values.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pass_is_a_column() {
        let all = dimension(&AblateArgs::default()).unwrap();
        assert!(all.starts_with("without-passes=none,substitution,"), "{all}");
        assert_eq!(all.split(',').count(), PASSES.len() + 1);
        let some = AblateArgs { passes: vec!["linear".to_owned()], ..AblateArgs::default() };
        assert_eq!(dimension(&some).unwrap(), "without-passes=none,linear");
        let none = AblateArgs { passes: vec!["frob".to_owned()], ..AblateArgs::default() };
        assert!(dimension(&none).unwrap_err().to_string().contains("embedded"));
    }

    /// The whole way, with a binary that repeats what it is told.
    #[test]
    fn the_experiment_is_told_everything() {
        let folder = tempfile::tempdir().unwrap();
        let (binary, file) = (folder.path().join("binary"), folder.path().join("a.smt2"));
        std::fs::write(&binary, "#!/bin/sh\necho \"$@\" > \"$(dirname \"$0\")/told\"\nexit 1\n").unwrap();
        std::fs::write(&file, "(check-sat)").unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
        let args = AblateArgs {
            pick: crate::args::PickArgs { paths: vec![file], ..Default::default() },
            bivalve: Some(binary),
            out: Some(folder.path().join("out")),
            levels: true,
            time_limit: "10".to_owned(),
            jobs: 1,
            ..AblateArgs::default()
        };
        let code = run(&Place::find(), &args).unwrap();
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(1)));
        let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
        assert!(
            told.starts_with("experiment --list ") && told.contains("--vary rewrite-level=0,1,2,3"),
            "{told}"
        );
        assert!(
            told.contains("--show gates")
                && std::path::Path::new(&folder.path().join("out/files.list")).exists()
        );
    }
}
