//! The seam to SAT solvers.
