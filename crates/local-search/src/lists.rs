//! A list of nodes for each node, one after the other in memory.

/// A list for each node.
pub(crate) struct Lists {
    items: Vec<usize>,
    /// Where the list of each node ends.
    ends: Vec<usize>,
}

impl Lists {
    /// The lists of nodes 0, 1, and so on.
    pub(crate) fn collect(lists: impl Iterator<Item = impl Iterator<Item = usize>>) -> Lists {
        let mut all = Lists { items: vec![], ends: vec![] };
        for list in lists {
            all.items.extend(list);
            all.ends.push(all.items.len());
        }
        all
    }

    /// The list of a node.
    pub(crate) fn of(&self, node: usize) -> &[usize] {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.items[start..self.ends[node]]
    }

    /// Of each node, the nodes in whose list it is.
    pub(crate) fn turned(&self) -> Lists {
        let nodes = self.ends.len();
        let mut ends = vec![0; nodes];
        for &item in &self.items {
            ends[item] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // Begins where the last one ends; filling it up makes an end of it.
            (*end, sum) = (sum, sum + *end);
        }
        let mut items = vec![0; self.items.len()];
        for node in 0..nodes {
            for &item in self.of(node) {
                items[ends[item]] = node;
                ends[item] += 1;
            }
        }
        Lists { items, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_lists_say_who_has_a_node_in_its_list() {
        let lists = Lists::collect([vec![], vec![0], vec![0, 0, 1], vec![1]].into_iter().map(Vec::into_iter));
        let turned = lists.turned();
        let of: Vec<&[usize]> = (0..4).map(|node| turned.of(node)).collect();
        assert_eq!(of, [&[1, 2, 2][..], &[2, 3], &[], &[]]);
        assert_eq!((lists.of(0), lists.of(2)), (&[][..], &[0, 0, 1][..]));
    }
}
