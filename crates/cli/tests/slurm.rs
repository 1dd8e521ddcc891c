//! A node of Slurm for tests that are run where Slurm and munge are installed, as root.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "a test waits for a node to come up")]

use crate::support::text;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The node has fixed ports, so there is one at a time.
static NODE: Mutex<()> = Mutex::new(());

/// One node of Slurm on this machine's loopback: munge, slurmctld and slurmd, with a folder of their own.
pub(crate) struct Slurm {
    daemons: Vec<Child>,
    folder: tempfile::TempDir,
    _only: MutexGuard<'static, ()>,
}

impl Slurm {
    /// Starts the daemons (Debian: slurm-wlm); says why, if that cannot be done here.
    pub(crate) fn start() -> Result<Slurm, String> {
        let only = NODE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let at = |name: &str| folder.path().join(name);
        let host =
            text(&Command::new("hostname").arg("-s").output().map_err(|error| error.to_string())?.stdout);
        let (host, root) = (host.trim().to_owned(), folder.path().display().to_string());
        for name in ["state", "spool"] {
            fs::create_dir(at(name)).map_err(|error| error.to_string())?;
        }
        let conf = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nAuthType=auth/munge\n\
             AuthInfo=socket={root}/munge.socket\nCredType=cred/munge\nSlurmctldPort=16817\nSlurmdPort=16818\n\
             StateSaveLocation={root}/state\nSlurmdSpoolDir={root}/spool\nSlurmctldPidFile={root}/ctld.pid\n\
             SlurmdPidFile={root}/d.pid\nSlurmctldLogFile={root}/ctld.log\nSlurmdLogFile={root}/d.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\nMpiDefault=none\nReturnToService=2\nMinJobAge=300\n\
             CommunicationParameters=NoInAddrAny\nJobAcctGatherType=jobacct_gather/none\nSwitchType=switch/none\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
        );
        fs::write(at("slurm.conf"), conf).map_err(|error| error.to_string())?;
        let mut slurm = Slurm { daemons: vec![], folder, _only: only };
        let key = at_of(&slurm, "munge.key");
        let made = slurm.command("mungekey").arg("--create").arg(format!("--keyfile={key}")).output();
        made.map_err(|error| error.to_string())?;
        let munge = |name: &str| format!("{root}/munge.{name}");
        let words = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--key-file={key}"),
            format!("--socket={}", munge("socket")),
            format!("--pid-file={}", munge("pid")),
            format!("--log-file={}", munge("log")),
            format!("--seed-file={}", munge("seed")),
        ];
        slurm.daemon("munged", &words)?;
        std::thread::sleep(Duration::from_millis(500));
        slurm.daemon("slurmctld", &["-D".to_owned(), "-c".to_owned()])?;
        slurm.daemon("slurmd", &["-D".to_owned(), "-N".to_owned(), host])?;
        for _ in 0..150 {
            let states = slurm.command("sinfo").args(["-h", "-o", "%T"]).output();
            if states.is_ok_and(|states| text(&states.stdout).trim() == "idle") {
                return Ok(slurm);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        let log = |name: &str| fs::read_to_string(slurm.folder.path().join(name)).unwrap_or_default();
        Err(format!(
            "the node does not come up:\n{}\n{}\n{}",
            log("munge.log"),
            log("ctld.log"),
            log("d.log")
        ))
    }

    /// The file that programs of Slurm are told in `SLURM_CONF`.
    pub(crate) fn conf(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    /// The tasks that run.
    pub(crate) fn running(&self) -> Vec<String> {
        let running = self.command("squeue").args(["-h", "-t", "R", "-r", "-o", "%i"]).output();
        text(&running.expect("there is squeue").stdout).lines().map(str::to_owned).collect()
    }

    /// Kills all processes of a task; says whether there were any.
    pub(crate) fn kill(&self, task: &str) -> bool {
        let mut scancel = self.command("scancel");
        scancel.args(["--full", "--signal=KILL", task]);
        scancel.output().is_ok_and(|done| done.status.success())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.conf());
        command
    }

    fn daemon(&mut self, program: &str, words: &[String]) -> Result<(), String> {
        let mut command = self.command(program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.daemons.push(command.spawn().map_err(|error| format!("{program}: {error}"))?);
        Ok(())
    }
}

fn at_of(slurm: &Slurm, name: &str) -> String {
    let path: PathBuf = slurm.folder.path().join(name);
    path.display().to_string()
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let id = daemon.id().to_string();
            let _ = Command::new("kill").args(["-TERM", &id]).output();
            std::thread::sleep(Duration::from_millis(200));
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}
