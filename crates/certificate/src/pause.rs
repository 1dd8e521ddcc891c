//! When to try again what was tried in vain.

/// After so many failures no more is left out than after one less.
const MOST_FAILURES: u32 = 6;

/// Each failure in a row doubles the number of times that nothing is tried.
#[derive(Default)]
pub(crate) struct Pause {
    failures: u32,
    left: u32,
}

impl Pause {
    /// Is it worth trying this time?
    pub(crate) fn is_over(&mut self) -> bool {
        let is_over = self.left == 0;
        self.left = self.left.saturating_sub(1);
        is_over
    }

    /// It was tried.
    pub(crate) fn tried(&mut self, with_success: bool) {
        self.failures = if with_success { 0 } else { (self.failures + 1).min(MOST_FAILURES) };
        self.left = (1 << self.failures) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_double_the_pause_and_a_success_ends_it() {
        let mut pause = Pause::default();
        let mut tried = vec![];
        for time in 0..20 {
            if pause.is_over() {
                tried.push(time);
                pause.tried(time == 14);
            }
        }
        assert_eq!(tried, [0, 2, 6, 14, 15, 17]);
    }
}
