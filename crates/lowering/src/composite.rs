//! Functions and arrays over sorts of theories: their images have the same shape over the sorts that stand
//! for those.

use crate::{Lowering, Refusal};
use bivalve_terms::{ArrayValue, BitVec, FunctionValue, Op, Pool, Sort, SortKind, Term, Value};

/// Arrays with so many indices are compared element by element.
const FEW_INDICES: u64 = 32;

/// The words of so few indices have no more bits than these.
const FEW_BITS: u32 = 12;

impl Lowering {
    /// Refuses a term that a sort stands in the way of.
    pub(crate) fn check_sort(&self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        // Within the index of an array, and the parameters of a function, arrays are compared.
        let mut todo = vec![(pool.sort(term), false)];
        let head = if pool.op(term) == Op::Apply { pool.args(term)[0] } else { term };
        let is_open = pool.op(head) == Op::Symbol && pool.is_open_symbol(head);
        while let Some((sort, is_compared)) = todo.pop() {
            let problem = match self.owner(pool, sort) {
                Some(theory) if !self.has_symbols(pool, theory, sort, is_open) => {
                    Some("a sort whose values are bit-vectors")
                }
                None if is_compared
                    && pool.sorts().array_parts(sort).is_some()
                    && !self.is_exact(pool, sort) =>
                {
                    Some("no array of such a sort as an index or an argument of a function")
                }
                _ => None,
            };
            if let Some(expected) = problem {
                let found = match self.owner(pool, sort) {
                    Some(theory) if sort == pool.sort(term) => self.theories[theory].refused(pool, sort),
                    _ => format!("sort {}", pool.sorts().display(pool.sort(term))),
                };
                return Err(Refusal { term, argument: None, expected: expected.into(), found });
            }
            match pool.sorts().kind(sort) {
                SortKind::Array { index, element } => todo.extend([(index, true), (element, is_compared)]),
                SortKind::Function { params, result } => {
                    todo.extend(params.iter().map(|&part| (part, true)).chain([(result, false)]));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// May symbols have this sort of a theory? `is_open` of those that stand for open results.
    pub(crate) fn has_symbols(&self, pool: &Pool, theory: usize, sort: Sort, is_open: bool) -> bool {
        let theory = &self.theories[theory];
        theory.image_sort(pool, sort).is_some() && (is_open || !theory.is_of_open_results(pool, sort))
    }

    /// Whether each value of the image's sort stands for one of the sort, each for another.
    pub(crate) fn is_exact(&self, pool: &Pool, sort: Sort) -> bool {
        let mut todo = vec![sort];
        while let Some(sort) = todo.pop() {
            match (self.owner(pool, sort), pool.sorts().array_parts(sort)) {
                (Some(theory), _) if !self.theories[theory].is_one_to_one(pool, sort) => return false,
                (None, Some((index, element))) => todo.extend([index, element]),
                _ => {}
            }
        }
        true
    }

    /// Counts what is written into arrays, and notes which are compared.
    ///
    /// The image of an array whose indices are of a theory has elements at indices that stand for nothing,
    /// too, and images may differ there alone. Let the elements there be that of an index that nothing is
    /// written to: then images differ only if the arrays do. So where arrays are compared there has to be
    /// such an index in every model. Where there are few indices, arrays are compared element by element, and
    /// it does not matter.
    pub(crate) fn check_arrays(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        let (array, is_store) = match pool.op(term) {
            Op::Store => (term, true),
            Op::Eq | Op::Distinct => (pool.args(term)[0], false),
            _ => return Ok(()),
        };
        let mut sort = pool.sort(array);
        while !is_store && let Some((_, element)) = self.few_indices(pool, sort) {
            sort = element;
        }
        while let Some((index, element)) = pool.sorts().array_parts(sort) {
            if !self.is_exact(pool, index) {
                let (stores, is_compared) = self.written.entry(index).or_default();
                *stores += u64::from(is_store);
                *is_compared |= !is_store;
                let (stores, is_compared) = (*stores, *is_compared);
                if is_compared && pool.sorts().small_cardinality(index).is_some_and(|all| stores >= all) {
                    let index = pool.sorts().display(index);
                    return Err(Refusal {
                        term,
                        argument: None,
                        expected: format!(
                            "where arrays over {index} are compared, fewer 'store' than it has values"
                        ),
                        found: stores.to_string(),
                    });
                }
            }
            // A store writes at the outer level.
            if is_store {
                break;
            }
            sort = element;
        }
        Ok(())
    }

    /// The image of a comparison of arrays with parts that are not exact, and what has to hold beside it:
    /// where two images differ, they do so at indices and in a value that stand for something.
    pub(crate) fn compared(&self, pool: &mut Pool, term: Term, images: &[Term]) -> (Term, Term) {
        let (op, sort) = (pool.op(term), pool.sort(pool.args(term)[0]));
        let pairs: Vec<(Term, Term)> = match op {
            Op::Eq => images.windows(2).map(|pair| (pair[0], pair[1])).collect(),
            _ => (0..images.len()).flat_map(|i| (0..i).map(move |j| (images[j], images[i]))).collect(),
        };
        let (mut results, mut conditions) = (vec![], vec![]);
        for (first, second) in pairs {
            let (mut sames, mut todo) = (vec![], vec![([first, second], sort)]);
            while let Some((places, sort)) = todo.pop() {
                let Some((indices, element)) = self.few_indices(pool, sort) else {
                    sames.push(self.compared_as_a_whole(pool, places, sort, &mut conditions));
                    continue;
                };
                for index in indices.iter().rev() {
                    let index = pool.bitvec(index);
                    todo.push((places.map(|array| pool.mk(Op::Select, &[array, index])), element));
                }
            }
            let same = pool.and_all(&sames);
            results.push(if op == Op::Eq { same } else { pool.mk(Op::Not, &[same]) });
        }
        (pool.and_all(&results), pool.and_all(&conditions))
    }

    /// Whether two images of a sort are equal, and what has to hold beside it.
    fn compared_as_a_whole(
        &self,
        pool: &mut Pool,
        both: [Term; 2],
        sort: Sort,
        conditions: &mut Vec<Term>,
    ) -> Term {
        let same = pool.mk(Op::Eq, &both);
        let (mut places, mut sort) = (both, sort);
        let (mut holds, is_array) = (vec![], pool.sorts().array_parts(sort).is_some());
        while let Some((index, element)) = pool.sorts().array_parts(sort) {
            let image = self.image_sort(pool, index);
            let witness = pool.symbol("difference", image);
            holds.extend(self.condition(pool, index, witness));
            places = places.map(|array| pool.mk(Op::Select, &[array, witness]));
            sort = element;
        }
        for place in places {
            holds.extend(self.condition(pool, sort, place));
        }
        if is_array {
            holds.push(pool.mk(Op::Distinct, &places));
            let differs = pool.and_all(&holds);
            conditions.push(pool.mk(Op::Or, &[same, differs]));
        } else {
            conditions.extend(holds);
        }
        same
    }

    /// The images of all indices of an array sort, some words of which stand for nothing, if they are few,
    /// and the sort of its elements. Such arrays are compared element by element.
    fn few_indices(&self, pool: &Pool, sort: Sort) -> Option<(Vec<BitVec>, Sort)> {
        let (index, element) = pool.sorts().array_parts(sort)?;
        let few = pool.sorts().small_cardinality(index).filter(|&all| all <= FEW_INDICES)?;
        let theory = self.owner(pool, index).filter(|_| !self.is_exact(pool, index))?;
        let image = self.theories[theory].image_sort(pool, index)?;
        let width = image.width().filter(|&width| width <= FEW_BITS)?;
        let words = (0..1u64 << width).map(|bits| BitVec::from_u64(bits, width));
        let is_value =
            |word: &BitVec| self.theories[theory].lift(pool, index, &Value::from(word.clone())).is_some();
        let words: Vec<BitVec> = words.filter(is_value).collect();
        debug_assert_eq!(words.len() as u64, few, "each value has a word");
        Some((words, element))
    }

    /// What has to hold of an image that comes from a symbol, a function or an array.
    pub(crate) fn condition(&self, pool: &mut Pool, sort: Sort, image: Term) -> Option<Term> {
        let theory = self.owner(pool, sort)?;
        self.theories[theory].condition(pool, sort, image)
    }

    /// The sort that stands for a sort that was accepted. Recursive: arrays are nested at most
    /// [`MAX_NESTING`](bivalve_terms::MAX_NESTING) deep; where no theory has a part, nothing is looked at
    /// twice.
    pub(crate) fn image_sort(&self, pool: &mut Pool, sort: Sort) -> Sort {
        if let Some(theory) = self.owner(pool, sort) {
            return self.theories[theory].image_sort(pool, sort).expect("the sort was accepted");
        }
        match pool.sorts().kind(sort) {
            SortKind::Array { index, element } => {
                let [index, element] = [index, element].map(|part| self.image_sort(pool, part));
                pool.sorts_mut().array(index, element).expect("the image is as deep")
            }
            SortKind::Function { params, result } => {
                let params: Vec<Sort> = params.iter().map(|&param| self.image_sort(pool, param)).collect();
                let result = self.image_sort(pool, result);
                pool.sorts_mut().function(&params, result).expect("the image is as deep")
            }
            _ => sort,
        }
    }

    /// The value of `sort` that the value of an image stands for; the default where it stands for none.
    pub fn value(&self, pool: &Pool, sort: Sort, image: &Value) -> Value {
        self.lifted(pool, sort, image)
    }

    pub(crate) fn lifted(&self, pool: &Pool, sort: Sort, image: &Value) -> Value {
        self.lifted_if_any(pool, sort, image).unwrap_or_else(|| Value::default_of(pool.sorts(), sort))
    }

    fn lifted_if_any(&self, pool: &Pool, sort: Sort, image: &Value) -> Option<Value> {
        if let Some(theory) = self.owner(pool, sort) {
            return self.theories[theory].lift(pool, sort, image);
        }
        Some(match (pool.sorts().kind(sort), image) {
            (SortKind::Array { index, element }, Value::Array(array)) => {
                let default = self.lifted(pool, element, array.default());
                let mut lifted = ArrayValue::constant(pool.sorts(), sort, default);
                for (at, what) in array.entries() {
                    // What stands for nothing is no index.
                    if let Some(at) = self.lifted_if_any(pool, index, at) {
                        lifted = lifted.store(&at, &self.lifted(pool, element, what));
                    }
                }
                lifted.into()
            }
            (SortKind::Function { params, result }, Value::Function(function)) => {
                let mut lifted = FunctionValue::constant(self.lifted(pool, result, function.default()));
                for (args, what) in function.entries() {
                    let args =
                        args.iter().zip(&params).map(|(arg, &param)| self.lifted_if_any(pool, param, arg));
                    // Where an argument stands for nothing, the function is not asked.
                    if let Some(args) = args.collect() {
                        lifted.define(args, self.lifted(pool, result, what));
                    }
                }
                lifted.into()
            }
            _ => image.clone(),
        })
    }
}
