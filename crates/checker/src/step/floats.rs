//! The steps about floating point: what assertions say as they are written, without their images.

use super::Proof;
use crate::floats::boxes::Boxes;
use crate::floats::lower::Lowering;
use crate::floats::sums::Sums;
use crate::term::Term;
use crate::token::Tokens;
use std::io::BufRead;

impl<'a> Proof<'a> {
    pub(super) fn sums<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<(), String> {
        let (lowering, formulas) = self.said(tokens)?;
        let factors = (0..tokens.number()?).map(|_| Ok((tokens.number()?, tokens.large()?)));
        let factors = factors.collect::<Result<Vec<_>, String>>()?;
        let sums = Sums::new(lowering, &self.kernel.terms, &formulas)?;
        self.kernel.sums(&sums, &factors)
    }

    pub(super) fn boxes<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<(), String> {
        let (lowering, formulas) = self.said(tokens)?;
        let tree = (0..tokens.number()?).map(|_| match tokens.number()? {
            0 => Ok(None),
            term => Ok(Some((term - 1, tokens.large()?))),
        });
        let tree = tree.collect::<Result<Vec<_>, String>>()?;
        let boxes = Boxes::new(lowering, &self.kernel.terms, &formulas)?;
        self.kernel.boxes(&boxes, &tree)
    }

    /// Assertions as they are written, by their numbers.
    fn said<R: BufRead>(&self, tokens: &mut Tokens<R>) -> Result<(&'a Lowering, Vec<Term>), String> {
        let assertions = (0..tokens.number()?).map(|_| tokens.number()).collect::<Result<Vec<_>, _>>()?;
        self.setting.ok_or("nothing is asserted in a theorem")?.said(&assertions)
    }
}
