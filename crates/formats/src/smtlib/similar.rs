//! The name that was probably meant.
//!
//! The optimal string alignment distance counts insertions, deletions, replacements and swaps of neighbours.
//! Only names at a distance of at most a third of the length are suggested, the nearest and of those the
//! first. The search looks at a bounded number of names of bounded length, so that a script full of faults is
//! still read quickly.

/// So many names are looked at.
const MOST_NAMES: usize = 10_000;

/// Longer names, in bytes, are not looked at.
const LONGEST: usize = 32;

/// The most similar among `candidates`, if one is similar at all.
pub(crate) fn most_similar<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.len() / 3).min(3);
    if limit == 0 || name.len() > LONGEST {
        return None;
    }
    let near = |candidate: &&str| candidate.len().abs_diff(name.len()) <= limit && candidate.len() <= LONGEST;
    let scored =
        candidates.take(MOST_NAMES).filter(near).map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|&(distance, _)| distance <= limit).min_by_key(|&(distance, _)| distance).map(|(_, c)| c)
}

/// The optimal string alignment distance in bytes.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = [[0; LONGEST + 1]; 3];
    rows[0] = std::array::from_fn(|j| j);
    for i in 1..=a.len() {
        let (now, last, before) = (i % 3, (i + 2) % 3, (i + 1) % 3);
        rows[now][0] = i;
        for j in 1..=b.len() {
            let replaced = rows[last][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[last][j] + 1).min(rows[now][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[before][j - 2] + 1);
            }
            rows[now][j] = best;
        }
    }
    rows[a.len() % 3][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits_and_swaps() {
        for (a, b, expected) in
            [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn only_near_names_are_meant() {
        let names = ["bvadd", "bvand", "memory"];
        assert_eq!(most_similar("bvdad", names.into_iter()), Some("bvadd"));
        assert_eq!(most_similar("memroy", names.into_iter()), Some("memory"));
        assert_eq!(most_similar("x", names.into_iter()), None);
        assert_eq!(most_similar("address", names.into_iter()), None);
    }
}
