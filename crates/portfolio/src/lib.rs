//! # bivalve-portfolio
//!
//! Several differently configured solvers on one question, in threads, with the same answer every time.
//!
//! A [`Portfolio`] carries out the checks of a [`Solver`](bivalve::Solver) of the caller. A check that ends
//! within a head start of some 50 ms is carried out as always. After that other engines, with other settings,
//! work on copies of the assertions in threads of their own, and one of them may be faster. Budgets are
//! counted in steps and compared at fixed rendezvous, so answer, model and core are the same for any number
//! of threads and any timing, unless the threads are [`racing`](Threads::racing).
//!
//! ```
//! use bivalve::{CheckResult, Settings, Solver, terms::{Pool, Sort}};
//! use bivalve_portfolio::{Portfolio, Threads};
//!
//! let mut pool = Pool::new();
//! let sort = Sort::bitvec(20)?;
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
//! let product = pool.bvmul(x, y)?;
//! let number = pool.bv(1_022_117, 20)?;
//! let found = pool.eq(product, number)?;
//! let mut solver = Solver::new(Settings::default());
//! solver.assert(&pool, found)?;
//! let mut portfolio = Portfolio::new(Threads::new(2)?);
//! assert_eq!(portfolio.check_assuming(&mut solver, &mut pool, &[])?, CheckResult::Sat);
//! assert_eq!(solver.model().expect("sat").value(&pool, product).to_u64(), Some(1_022_117));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `portfolio` | checks: the question, the engines, the winner's answer |
//! | `table` | the engines, a row each |
//! | `rounds` | budgets of steps |
//! | `board` | where the engines are, who may run, who has won |
//! | `leader`, `engine` | the meter of the caller's solver; an engine in its thread |
//! | `threads`, `statistics` | what is asked for; what it was good for |

mod board;
mod engine;
mod finding;
mod leader;
mod portfolio;
mod rounds;
mod statistics;
mod table;
mod threads;

pub use portfolio::Portfolio;
pub use statistics::{Statistics, Wins};
pub use threads::{NoThreads, Threads, Unsteady};
