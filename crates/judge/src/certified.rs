//! Certificates in this process: a session writes one, and the checker reads it.
//!
//! An `unsat` that is withheld for want of a certificate is as much a fault as a certificate that its checker
//! refuses. What ended at a limit is none, and neither is a script in which a command was refused: the
//! checker reads scripts to the last word.

use bivalve::{CheckResult, panic_message};
use bivalve_checker::check::Checker;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Certification, Config, Form, Monitor, NoCertificate, NoMonitor, Reply, Session};
use std::cell::RefCell;
use std::io::{self, Write};
use std::panic::catch_unwind;
use std::rc::Rc;

/// Memory that a session writes to.
#[derive(Clone, Default, Debug)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The certificate of a session while it is written.
pub(crate) struct Witness {
    memory: Memory,
    checks: u64,
    /// The checks that answered unsat, and those that have no certificate, be it of what their models rest
    /// on.
    unsatisfiable: Vec<u64>,
    missing: Vec<(u64, NoCertificate)>,
}

impl Witness {
    /// Has a session write certificates in this form.
    pub(crate) fn of(session: &mut Session, form: Form) -> Witness {
        let memory = Memory::default();
        if let Ok(mut certification) = Certification::new(Box::new(memory.clone()), form, false) {
            certification.certify_models();
            session.set_certification(certification);
        }
        Witness { memory, checks: 0, unsatisfiable: vec![], missing: vec![] }
    }

    /// Looks at a reply of the session.
    pub(crate) fn see(&mut self, session: &Session, reply: &Reply) {
        let Reply::Checked(answer) = reply else { return };
        if *answer == CheckResult::Unsat {
            self.unsatisfiable.push(self.checks);
        }
        let why = session.certification().and_then(Certification::missing);
        self.missing.extend(why.map(|why| (self.checks, why.clone())));
        self.checks += 1;
    }

    /// What is wrong with the certificate of this script, or with its being missing.
    pub(crate) fn fault(&self, script: &str) -> Option<String> {
        let is_limit = |why: &NoCertificate| matches!(why, NoCertificate::Unknown(_));
        if let Some((number, why)) = self.missing.iter().find(|(_, why)| !is_limit(why)) {
            return Some(format!("certificate: check {number} has none: {why}"));
        }
        let Shown { verified, wrong, panicked } = Shown::of(script, &self.memory.0.borrow());
        if let Some(why) = panicked {
            return Some(format!("certificate: the checker panicked: {why}"));
        }
        if let Some(why) = wrong {
            return Some(format!("certificate: the checker disagrees: {why}"));
        }
        let has_one = |number: &u64| !self.missing.iter().any(|(other, _)| other == number);
        let lost = self.unsatisfiable.iter().find(|number| has_one(number) && !verified.contains(number));
        lost.map(|number| format!("certificate: check {number} is unsat and was not verified"))
    }
}

/// A script's answers, and its certificate.
#[derive(Debug, Default)]
pub struct Certified {
    /// The answers of the checks.
    pub answers: Vec<CheckResult>,
    /// The certificate of all of them that are unsat.
    pub certificate: Vec<u8>,
    /// Why an `unsat` has none.
    pub missing: Vec<NoCertificate>,
    /// What was refused of the script.
    pub errors: Vec<String>,
}

impl Certified {
    /// What a session says of a script under a monitor, with a certificate in this form.
    pub(crate) fn of(config: Config, script: &str, form: Form, monitor: &mut dyn Monitor) -> Certified {
        let mut session = Session::new(config);
        let mut witness = Witness::of(&mut session, form);
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let mut certified = Certified::default();
        while let Some(reply) = session.step(&mut parser, monitor) {
            witness.see(&session, &reply);
            match &reply {
                Reply::Checked(answer) => certified.answers.push(*answer),
                reply => certified.errors.extend(reply.error().map(|error| error.into_owned())),
            }
        }
        certified.missing = witness.missing.into_iter().map(|(_, why)| why).collect();
        certified.certificate = witness.memory.0.take();
        certified
    }

    /// What Bivalve says of a script without a limit of time, with a certificate in this form.
    pub fn at_leisure(script: &str, form: Form) -> Certified {
        Certified::of(Config::default(), script, form, &mut NoMonitor)
    }

    /// The checks with this answer, counted from 0.
    pub fn checks(&self, answer: CheckResult) -> Vec<u64> {
        (0..).zip(&self.answers).filter(|(_, other)| **other == answer).map(|(number, _)| number).collect()
    }
}

/// What a certificate shows of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The checks that are verified, counted from 0, up to the first step that is wrong.
    pub verified: Vec<u64>,
    /// What is wrong with that step, or with the script.
    pub wrong: Option<String>,
    /// The words of a panic, which is a fault of the checker.
    pub panicked: Option<String>,
}

impl Shown {
    /// What the checker says of a certificate, in whatever form and state.
    pub fn of(script: &str, certificate: &[u8]) -> Shown {
        let look = || {
            let mut verified = vec![];
            let done = Checker::new(script, certificate).and_then(|mut checker| {
                while let Some(check) = checker.next_verified()? {
                    verified.push(check);
                }
                Ok(())
            });
            Shown { verified, wrong: done.err(), panicked: None }
        };
        catch_unwind(look).unwrap_or_else(|panic| Shown {
            verified: vec![],
            wrong: None,
            panicked: Some(panic_message(&*panic).to_owned()),
        })
    }

    /// Is every step right?
    pub fn is_accepted(&self) -> bool {
        self.wrong.is_none() && self.panicked.is_none()
    }
}
