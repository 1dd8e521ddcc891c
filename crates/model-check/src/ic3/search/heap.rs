//! The variables of a domain by decreasing activity: a binary heap with places, so that a variable can rise.

/// The heap; activities are kept for all variables, in the heap or not.
pub(super) struct Heap {
    heap: Vec<u32>,
    /// By variable: its place in the heap, plus one; 0 if it is not in it.
    places: Vec<u32>,
    activities: Vec<f64>,
}

impl Default for Heap {
    /// Variables are numbered from 1 on.
    fn default() -> Heap {
        Heap { heap: vec![], places: vec![0], activities: vec![0.0] }
    }
}

impl Heap {
    /// One more variable.
    pub(super) fn grow(&mut self) {
        self.places.push(0);
        self.activities.push(0.0);
    }

    pub(super) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.places[var as usize] = 0;
        }
    }

    /// Replaces what is in the heap, by those of these variables that are at least so active.
    pub(super) fn fill(&mut self, vars: &[u32], least: f64) {
        self.clear();
        self.heap.extend(vars.iter().filter(|&&var| self.activities[var as usize] >= least));
        for (place, &var) in self.heap.iter().enumerate() {
            self.places[var as usize] = place as u32 + 1;
        }
        for place in (0..self.heap.len() / 2).rev() {
            self.sink(place);
        }
    }

    /// Adds a variable, if it is not in the heap and is at least so active.
    pub(super) fn insert(&mut self, var: u32, least: f64) {
        if self.places[var as usize] == 0 && self.activities[var as usize] >= least {
            self.heap.push(var);
            self.places[var as usize] = self.heap.len() as u32;
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the most active variable.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let &first = self.heap.first()?;
        let last = self.heap.pop().expect("the heap is not empty");
        self.places[first as usize] = 0;
        if first != last {
            self.put(0, last);
            self.sink(0);
        }
        Some(first)
    }

    /// Adds to the activity of a variable, and returns it.
    pub(super) fn bump(&mut self, var: u32, by: f64) -> f64 {
        self.activities[var as usize] += by;
        if let Some(place) = self.places[var as usize].checked_sub(1) {
            self.rise(place as usize);
        }
        self.activities[var as usize]
    }

    /// Multiplies all activities.
    pub(super) fn scale(&mut self, by: f64) {
        self.activities.iter_mut().for_each(|activity| *activity *= by);
    }

    fn put(&mut self, place: usize, var: u32) {
        self.heap[place] = var;
        self.places[var as usize] = place as u32 + 1;
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.activities[a as usize] > self.activities[b as usize]
    }

    fn rise(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.is_before(var, self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, var);
    }

    fn sink(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.is_before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.is_before(self.heap[child], var) {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, var);
    }
}
