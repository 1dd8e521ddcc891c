"""The kinds of sorts and operators, by the names and numbers that z3 documents for them (z3_api.h, `Z3_sort_kind` and
`Z3_decl_kind`)."""

Z3_UNINTERPRETED_SORT = 0
Z3_BOOL_SORT = 1
Z3_INT_SORT = 2
Z3_REAL_SORT = 3
Z3_BV_SORT = 4
Z3_ARRAY_SORT = 5

Z3_L_FALSE = -1
Z3_L_UNDEF = 0
Z3_L_TRUE = 1

#: The kinds of the sorts that Bivalve has.
SORT_KINDS = {"bool": Z3_BOOL_SORT, "bitvec": Z3_BV_SORT, "array": Z3_ARRAY_SORT}

Z3_OP_TRUE = 256
Z3_OP_FALSE = 257
Z3_OP_EQ = 258
Z3_OP_DISTINCT = 259
Z3_OP_ITE = 260
Z3_OP_AND = 261
Z3_OP_OR = 262
Z3_OP_XOR = 264
Z3_OP_NOT = 265
Z3_OP_IMPLIES = 266
Z3_OP_STORE = 768
Z3_OP_SELECT = 769
Z3_OP_CONST_ARRAY = 770
Z3_OP_BNUM = 1024
Z3_OP_BNEG = 1027
Z3_OP_BADD = 1028
Z3_OP_BSUB = 1029
Z3_OP_BMUL = 1030
Z3_OP_BSDIV = 1031
Z3_OP_BUDIV = 1032
Z3_OP_BSREM = 1033
Z3_OP_BUREM = 1034
Z3_OP_BSMOD = 1035
Z3_OP_ULEQ = 1041
Z3_OP_SLEQ = 1042
Z3_OP_UGEQ = 1043
Z3_OP_SGEQ = 1044
Z3_OP_ULT = 1045
Z3_OP_SLT = 1046
Z3_OP_UGT = 1047
Z3_OP_SGT = 1048
Z3_OP_BAND = 1049
Z3_OP_BOR = 1050
Z3_OP_BNOT = 1051
Z3_OP_BXOR = 1052
Z3_OP_BNAND = 1053
Z3_OP_BNOR = 1054
Z3_OP_BXNOR = 1055
Z3_OP_CONCAT = 1056
Z3_OP_SIGN_EXT = 1057
Z3_OP_ZERO_EXT = 1058
Z3_OP_EXTRACT = 1059
Z3_OP_REPEAT = 1060
Z3_OP_BREDOR = 1061
Z3_OP_BREDAND = 1062
Z3_OP_BCOMP = 1063
Z3_OP_BSHL = 1064
Z3_OP_BLSHR = 1065
Z3_OP_BASHR = 1066
Z3_OP_ROTATE_LEFT = 1067
Z3_OP_ROTATE_RIGHT = 1068
Z3_OP_EXT_ROTATE_LEFT = 1069
Z3_OP_EXT_ROTATE_RIGHT = 1070
Z3_OP_INTERNAL = 49165
Z3_OP_UNINTERPRETED = 49167

#: The kind of each operator of Bivalve; those that z3 has not are `Z3_OP_INTERNAL`.
KINDS = {
    "symbol": Z3_OP_UNINTERPRETED,
    "apply": Z3_OP_UNINTERPRETED,
    "not": Z3_OP_NOT,
    "=>": Z3_OP_IMPLIES,
    "and": Z3_OP_AND,
    "or": Z3_OP_OR,
    "xor": Z3_OP_XOR,
    "=": Z3_OP_EQ,
    "distinct": Z3_OP_DISTINCT,
    "ite": Z3_OP_ITE,
    "select": Z3_OP_SELECT,
    "store": Z3_OP_STORE,
    "const": Z3_OP_CONST_ARRAY,
    "concat": Z3_OP_CONCAT,
    "extract": Z3_OP_EXTRACT,
    "repeat": Z3_OP_REPEAT,
    "zero_extend": Z3_OP_ZERO_EXT,
    "sign_extend": Z3_OP_SIGN_EXT,
    "rotate_left": Z3_OP_ROTATE_LEFT,
    "rotate_right": Z3_OP_ROTATE_RIGHT,
    "ext_rotate_left": Z3_OP_EXT_ROTATE_LEFT,
    "ext_rotate_right": Z3_OP_EXT_ROTATE_RIGHT,
    "bvnot": Z3_OP_BNOT,
    "bvand": Z3_OP_BAND,
    "bvor": Z3_OP_BOR,
    "bvxor": Z3_OP_BXOR,
    "bvnand": Z3_OP_BNAND,
    "bvnor": Z3_OP_BNOR,
    "bvxnor": Z3_OP_BXNOR,
    "bvcomp": Z3_OP_BCOMP,
    "bvredand": Z3_OP_BREDAND,
    "bvredor": Z3_OP_BREDOR,
    "bvneg": Z3_OP_BNEG,
    "bvadd": Z3_OP_BADD,
    "bvsub": Z3_OP_BSUB,
    "bvmul": Z3_OP_BMUL,
    "bvudiv": Z3_OP_BUDIV,
    "bvurem": Z3_OP_BUREM,
    "bvsdiv": Z3_OP_BSDIV,
    "bvsrem": Z3_OP_BSREM,
    "bvsmod": Z3_OP_BSMOD,
    "bvshl": Z3_OP_BSHL,
    "bvlshr": Z3_OP_BLSHR,
    "bvashr": Z3_OP_BASHR,
    "bvult": Z3_OP_ULT,
    "bvule": Z3_OP_ULEQ,
    "bvugt": Z3_OP_UGT,
    "bvuge": Z3_OP_UGEQ,
    "bvslt": Z3_OP_SLT,
    "bvsle": Z3_OP_SLEQ,
    "bvsgt": Z3_OP_SGT,
    "bvsge": Z3_OP_SGEQ,
}
