//! Moebius inversion: from the values of a function of truth values to its coefficients.
//!
//! Over numbers that are one or zero, each function is one sum of products of its arguments; the coefficient
//! of a product is a sum over its divisors. Arguments are the bits of an index, in rows and in products.
//!
//! Cost: `k 2^k` for `k` arguments.

/// From the values of all rows to the coefficients of all products.
pub fn coefficients(mut rows: Vec<i64>) -> Vec<i64> {
    let mut argument = 1;
    while argument < rows.len() {
        for row in (0..rows.len()).filter(|row| row & argument > 0) {
            rows[row] -= rows[row ^ argument];
        }
        argument <<= 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions of three truth values are the sums of the products whose arguments are all true.
    #[test]
    fn coefficients_add_up_to_the_rows() {
        for table in 0..256i64 {
            let rows: Vec<i64> = (0..8).map(|row| table >> row & 1).collect();
            let found = coefficients(rows.clone());
            for (row, &value) in rows.iter().enumerate() {
                let inside = (0..8).filter(|set| set & row == *set).map(|set| found[set]);
                assert_eq!(inside.sum::<i64>(), value);
            }
        }
    }
}
