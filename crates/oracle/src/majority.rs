//! The majority of several solvers, as one oracle.
//!
//! Random formulas come without a status. The thesis (Brummayer 2009, section 4.4) takes what most solvers
//! say for the truth: of those that report a result, at least a given share (66 percent there) have to agree,
//! else the case is unresolved. Here that is one oracle among others: the verdict of each check is that of
//! the majority, `unknown` where there is none. Models and cores are not merged; whoever wants them asks the
//! members.
//!
//! A majority can be wrong: solvers share ideas, code and authors. So where a member shows a model that
//! holds, that is worth more than any number of voices; [`judge`](crate::judge) does it that way.

use crate::oracle::Oracle;
use crate::reply::{Check, Ending, Reply, Verdict};
use bivalve_delta::Cancel;

/// Several solvers that vote.
pub struct Majority {
    name: String,
    members: Vec<Box<dyn Oracle>>,
    percent: u32,
}

/// The share of voices that the thesis asks for.
pub const USUAL_PERCENT: u32 = 66;

impl Majority {
    /// What at least `percent` of those members say that say anything.
    pub fn new(name: &str, members: Vec<Box<dyn Oracle>>, percent: u32) -> Majority {
        Majority { name: name.to_owned(), members, percent }
    }
}

/// The verdict that at least `percent` of the definite ones are, and at least two of them; `None` if there is
/// no such majority.
pub fn vote(verdicts: impl IntoIterator<Item = Verdict>, percent: u32) -> Option<Verdict> {
    let (mut sat, mut unsat) = (0u32, 0u32);
    for verdict in verdicts {
        match verdict {
            Verdict::Sat => sat += 1,
            Verdict::Unsat => unsat += 1,
            Verdict::Unknown => {}
        }
    }
    let wins =
        |voices: u32| voices >= 2 && 2 * voices > sat + unsat && 100 * voices >= percent * (sat + unsat);
    match (wins(sat), wins(unsat)) {
        (true, _) => Some(Verdict::Sat),
        (_, true) => Some(Verdict::Unsat),
        (false, false) => None,
    }
}

impl Oracle for Majority {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let replies: Vec<Reply> = self.members.iter().map(|member| member.ask(script, cancel)).collect();
        let mut merged = Reply::ended(Ending::Exited(0));
        let most = replies.iter().map(|reply| reply.checks.len()).max().unwrap_or(0);
        for number in 0..most {
            let said = replies.iter().filter_map(|reply| reply.checks.get(number)).map(|check| check.verdict);
            let verdict = vote(said, self.percent).unwrap_or(Verdict::Unknown);
            merged.checks.push(Check::of(verdict));
            merged.output += verdict.word();
            merged.output.push('\n');
        }
        merged.time = replies.iter().map(|reply| reply.time).sum();
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Always(Verdict);

    impl Oracle for Always {
        fn name(&self) -> &str {
            self.0.word()
        }

        fn ask(&self, _: &str, _: &Cancel) -> Reply {
            Reply { checks: vec![Check::of(self.0)], ..Reply::ended(Ending::Exited(0)) }
        }
    }

    fn say(verdicts: &[Verdict]) -> Verdict {
        let members = verdicts.iter().map(|&verdict| Box::new(Always(verdict)) as Box<dyn Oracle>).collect();
        let majority = Majority::new("all", members, USUAL_PERCENT);
        majority.ask("(check-sat)", &Cancel::new()).verdict().expect("one check")
    }

    #[test]
    fn most_voices_win_and_silence_is_no_voice() {
        use Verdict::{Sat, Unknown, Unsat};
        assert_eq!(say(&[Sat, Sat, Unsat]), Sat);
        assert_eq!(say(&[Sat, Unsat, Unsat, Unknown, Unknown]), Unsat);
        assert_eq!(say(&[Sat, Sat, Sat, Unsat, Unsat]), Unknown);
        assert_eq!(say(&[Sat, Unsat]), Unknown);
        assert_eq!(say(&[Sat, Unknown]), Unknown);
        assert_eq!(say(&[Unknown]), Unknown);
    }
}
