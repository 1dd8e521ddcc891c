//! The operators of Rust on expressions.
//!
//! `+ - *` and unary `-` are those of bit-vectors; `& | ^ !` are bitwise, and the connectives where the left
//! side is Boolean; `<<` shifts to the left. The right side may be an integer or a Boolean.

use super::{Expr, Operand};
use crate::op::Op;
use std::ops;

/// `$bits` on bit-vectors, `$boolean` on Booleans.
macro_rules! binary {
    ($($trait:ident $method:ident $bits:ident $boolean:ident;)*) => {
        $(impl<T: Operand> ops::$trait<T> for &Expr {
            type Output = Expr;
            #[track_caller]
            fn $method(self, other: T) -> Expr {
                let op = if self.is_boolean() { Op::$boolean } else { Op::$bits };
                self.apply_op(op, &[], [(&other as &dyn Operand, self.sort().ok())])
            }
        }

        impl<T: Operand> ops::$trait<T> for Expr {
            type Output = Expr;
            #[track_caller]
            fn $method(self, other: T) -> Expr {
                ops::$trait::$method(&self, other)
            }
        })*
    };
}

binary! {
    Add add BvAdd BvAdd;
    Sub sub BvSub BvSub;
    Mul mul BvMul BvMul;
    Shl shl BvShl BvShl;
    BitAnd bitand BvAnd And;
    BitOr bitor BvOr Or;
    BitXor bitxor BvXor Xor;
}

macro_rules! unary {
    ($($trait:ident $method:ident $bits:ident $boolean:ident;)*) => {
        $(impl ops::$trait for &Expr {
            type Output = Expr;
            #[track_caller]
            fn $method(self) -> Expr {
                let op = if self.is_boolean() { Op::$boolean } else { Op::$bits };
                self.apply_op(op, &[], [])
            }
        }

        impl ops::$trait for Expr {
            type Output = Expr;
            #[track_caller]
            fn $method(self) -> Expr {
                ops::$trait::$method(&self)
            }
        })*
    };
}

unary! {
    Neg neg BvNeg BvNeg;
    Not not BvNot Not;
}

impl Expr {
    fn is_boolean(&self) -> bool {
        self.sort().is_ok_and(|sort| sort.is_bool())
    }
}
