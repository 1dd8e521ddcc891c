//! A child and the processes that it starts, where systems differ.
//!
//! On Unix the child leads a process group, which is killed as a whole, and tells the signal that ended it.
//! Elsewhere the child alone is killed, and what it has started goes on. On Linux its address space and its
//! CPU time are limited by the system.

use crate::limits::Limits;
use crate::reply::Ending;
use std::process::{Child, Command, ExitStatus};

/// Whether the system can limit the memory of a child.
pub(crate) const LIMITS_MEMORY: bool = cfg!(target_os = "linux");

#[cfg(unix)]
pub(crate) use unix::Group;

#[cfg(unix)]
mod unix {
    use super::{Child, Command, Ending, ExitStatus, Limits};
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    /// Signals by which a process is asked to end.
    const ASKED: [Signal; 3] = [Signal::TERM, Signal::INT, Signal::HUP];

    /// The group of a child.
    pub(crate) struct Group {
        /// The child; `None` if its number is none of a process, which would be this one.
        leader: Option<Pid>,
    }

    impl Group {
        /// The child of this command will lead a group.
        pub(crate) fn prepare(command: &mut Command) {
            command.process_group(0);
        }

        /// The group of a child that was just started, under limits from now on.
        pub(crate) fn of(child: &Child, limits: Limits) -> Group {
            let group = Group { leader: i32::try_from(child.id()).ok().and_then(Pid::from_raw) };
            group.limit(limits);
            group
        }

        /// Kills all that is left of the group.
        pub(crate) fn kill(&self) {
            if let Some(leader) = self.leader {
                // None may be left.
                let _ = kill_process_group(leader, Signal::KILL);
            }
        }

        #[cfg(target_os = "linux")]
        fn limit(&self, limits: Limits) {
            use rustix::process::{Resource, Rlimit, prlimit};
            let Some(leader) = self.leader else { return };
            let at_most = |resource, current: u64, maximum: u64| {
                // A process that has ended needs no limit.
                let limit = Rlimit { current: Some(current), maximum: Some(maximum) };
                let _ = prlimit(Some(leader), resource, limit);
            };
            if let Some(bytes) = limits.memory {
                at_most(Resource::As, bytes, bytes);
            }
            if let Some(time) = limits.cpu {
                let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
                // A second later it is killed, whatever it made of the signal.
                at_most(Resource::Cpu, seconds, seconds + 1);
            }
        }

        #[cfg(not(target_os = "linux"))]
        fn limit(&self, _: Limits) {}

        /// How a process ended. The signal for too much CPU time is the end of its time. One that asks it to
        /// end is not from here: a cluster sends it to all processes of a task, and what one of them has not
        /// done is not its failure.
        pub(crate) fn ending(status: ExitStatus) -> Ending {
            match (status.code(), status.signal()) {
                (Some(code), _) => Ending::Exited(code),
                (None, Some(signal)) if signal == Signal::XCPU.as_raw() => Ending::TimedOut,
                (None, Some(signal)) if ASKED.map(Signal::as_raw).contains(&signal) => Ending::Cancelled,
                (None, Some(signal)) => Ending::Signal(signal),
                (None, None) => Ending::Exited(-1),
            }
        }
    }
}

#[cfg(not(unix))]
pub(crate) use other::Group;

#[cfg(not(unix))]
mod other {
    use super::{Child, Command, Ending, ExitStatus, Limits};

    /// No more than the child, which is killed by its handle.
    pub(crate) struct Group;

    impl Group {
        pub(crate) fn prepare(_: &mut Command) {}

        pub(crate) fn of(_: &Child, _: Limits) -> Group {
            Group
        }

        pub(crate) fn kill(&self) {}

        pub(crate) fn ending(status: ExitStatus) -> Ending {
            Ending::Exited(status.code().unwrap_or(-1))
        }
    }
}
