//! The words of a line of BTOR2: its number, its operator, the numbers of other lines, and its name.
//!
//! A line that is not as it should be has fewer of them. Cost: linear.

use std::ops::Range;

/// A line, cut into words.
pub(crate) struct Line<'t> {
    words: Vec<(&'t str, Range<usize>)>,
    /// From the semicolon to the end of the line.
    pub(crate) comment: Option<Range<usize>>,
}

impl<'t> Line<'t> {
    /// The words of a line that begins at byte `start` of the whole text.
    pub(crate) fn new(line: &'t str, start: usize) -> Line<'t> {
        let line = line.trim_end_matches(['\n', '\r']);
        let content = line.split(';').next().unwrap_or("");
        let place = |word: &str| {
            let at = start + (word.as_ptr().addr() - line.as_ptr().addr());
            at..at + word.len()
        };
        let words = content.split_whitespace().map(|word| (word, place(word))).collect();
        let comment = (content.len() < line.len()).then(|| start + content.len()..start + line.len());
        Line { words, comment }
    }

    /// The number of the line.
    pub(crate) fn number(&self) -> Option<Range<usize>> {
        let (word, place) = self.words.first()?;
        word.parse::<u64>().is_ok().then(|| place.clone())
    }

    /// What the line does.
    pub(crate) fn operator(&self) -> Option<(&'t str, Range<usize>)> {
        self.number()?;
        self.words.get(1).cloned()
    }

    /// The words that are numbers of other lines, and how many words there are before the name.
    fn operands(&self) -> (Range<usize>, usize) {
        let Some((operator, _)) = self.operator() else { return (0..0, usize::MAX) };
        let word = |number: usize| self.words.get(number).map_or("", |(word, _)| *word);
        match operator {
            "sort" if word(2) == "array" => (3..5, 5),
            "sort" => (0..0, 4),
            "zero" | "one" | "ones" | "input" | "state" => (2..3, 3),
            "bad" | "constraint" | "fair" | "output" => (2..3, 3),
            "const" | "constd" | "consth" => (2..3, 4),
            "slice" => (2..4, 6),
            "sext" | "uext" => (2..4, 5),
            "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => (2..4, 4),
            "ite" | "write" => (2..6, 6),
            "justice" => {
                let end = word(2).parse::<usize>().unwrap_or(0).saturating_add(3);
                (3..end, end)
            }
            _ => (2..5, 5),
        }
    }

    /// The numbers of other lines, without their signs.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&'t str, Range<usize>)> + '_ {
        let (operands, _) = self.operands();
        let end = operands.end.min(self.words.len());
        let words = self.words.get(operands.start..end).unwrap_or_default();
        let numbers = words.iter().filter(|(word, _)| word.parse::<i64>().is_ok());
        numbers.map(|(word, place)| {
            let digits = word.trim_start_matches(['-', '+']);
            (digits, place.end - digits.len()..place.end)
        })
    }

    /// The name of what the line makes.
    pub(crate) fn name(&self) -> Option<(&'t str, Range<usize>)> {
        self.words.get(self.operands().1).cloned()
    }

    /// Words that are none of these: widths, indices, constants.
    pub(crate) fn others(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let (operands, name) = self.operands();
        let words = self.words.iter().enumerate().skip(2).take(name.saturating_sub(2));
        words.filter(move |(number, _)| !operands.contains(number)).map(|(_, (_, place))| place.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_line_are_told_apart() {
        for (line, references, name) in [
            ("1 sort bitvec 8", &[][..], None),
            ("2 sort array 1 1 mem ; 3", &["1", "1"], Some("mem")),
            ("  3 slice 1 -2 7 0 low", &["1", "2"], Some("low")),
            ("4 justice 2 5 -6 live", &["5", "6"], Some("live")),
            ("7 add 1 2", &["1", "2"], None),
            ("8 ite 1 2 3 4 x", &["1", "2", "3", "4"], Some("x")),
            ("9 constd 1 -42 c", &["1"], Some("c")),
            ("10 justice 99999999999999999999", &[], None),
            ("; 5", &[], None),
            ("x add 1 2", &[], None),
            ("", &[], None),
        ] {
            let line = Line::new(line, 10);
            assert_eq!(line.references().map(|(word, _)| word).collect::<Vec<_>>(), references);
            assert_eq!(line.name().map(|(word, _)| word), name);
        }
        let text = "3 slice 1 -2 7 0 low ; é";
        let line = Line::new(text, 100);
        assert_eq!(line.references().last(), Some(("2", 111..112)));
        assert_eq!(line.comment, Some(121..100 + text.len()));
        assert_eq!(line.others().collect::<Vec<_>>(), [113..114, 115..116]);
    }
}
