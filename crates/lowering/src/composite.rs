//! Functions and arrays over sorts of theories: their images have the same shape over the sorts that stand
//! for those.

use crate::{Lowering, Refusal};
use bivalve_terms::{ArrayValue, FunctionValue, Pool, Sort, SortKind, Term, Value};

impl Lowering {
    /// Refuses a term that a sort stands in the way of.
    pub(crate) fn check_sort(&self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        let mut todo = vec![(pool.sort(term), false)];
        while let Some((sort, in_array)) = todo.pop() {
            let problem = match self.owner(pool, sort) {
                Some(theory) if self.theories[theory].image_sort(sort).is_none() => {
                    Some("a sort whose values are bit-vectors")
                }
                Some(theory) if in_array && !self.theories[theory].is_one_to_one(sort) => {
                    Some("an array of sorts whose values are all bit-vectors of one width")
                }
                _ => None,
            };
            if let Some(expected) = problem {
                let found = format!("sort {}", pool.sorts().display(pool.sort(term)));
                return Err(Refusal { term, argument: None, expected: expected.into(), found });
            }
            match pool.sorts().kind(sort) {
                SortKind::Array { index, element } => todo.extend([(index, true), (element, true)]),
                SortKind::Function { params, result } => {
                    todo.extend(params.iter().chain([&result]).map(|&part| (part, in_array)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The sort that stands for a sort that was accepted. Recursive: arrays are nested at most
    /// [`MAX_NESTING`](bivalve_terms::MAX_NESTING) deep; where no theory has a part, nothing is looked at
    /// twice.
    pub(crate) fn image_sort(&self, pool: &mut Pool, sort: Sort) -> Sort {
        if let Some(theory) = self.owner(pool, sort) {
            return self.theories[theory].image_sort(sort).expect("the sort was accepted");
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
                    let (at, what) = (self.lifted(pool, index, at), self.lifted(pool, element, what));
                    lifted = lifted.store(&at, &what);
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
