//! Classes of numbers, by union and find.
//!
//! The least member of a class stands for it, so classes do not depend on the order of unions. Cost: paths
//! are halved on the way (Tarjan and van Leeuwen 1984), which is close to constant.

/// Classes of the numbers from 0 on.
#[derive(Clone, Default, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Each number below `len` in a class of its own.
    pub fn new(len: usize) -> UnionFind {
        UnionFind { parent: (0..len as u32).collect() }
    }

    /// The least member of a number's class.
    pub fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let grand = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = grand;
            node = grand;
        }
        node
    }

    /// Joins two classes.
    pub fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
