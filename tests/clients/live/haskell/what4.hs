{-# LANGUAGE DataKinds, GADTs, OverloadedStrings, TypeApplications #-}

-- An identity, a square root, a quotient and writes to an array through what4: `what4 SOLVER`.
import Control.Monad (unless)
import qualified Data.BitVector.Sized as BV
import qualified Data.Parameterized.Context as Ctx
import Data.Parameterized.NatRepr
import Data.Parameterized.Nonce (newIONonceGenerator)
import Data.Parameterized.Some
import System.Environment
import System.IO
import What4.Config
import What4.Expr
import What4.Interface
import What4.SatResult
import What4.Solver

data NoState t = NoState

adapters :: [(String, SolverAdapter NoState)]
adapters = [("z3", z3Adapter), ("boolector", boolectorAdapter), ("cvc4", cvc4Adapter), ("stp", stpAdapter)]

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  [name] <- getArgs
  let Just adapter = lookup name adapters
  Some numbers <- newIONonceGenerator
  sym <- newExprBuilder FloatRealRepr NoState numbers
  extendConfig (solver_adapter_config_options adapter) (getConfiguration sym)
  let width = knownNat @8
      constant = bvLit sym width . BV.mkBV width
      symbol text = freshConstant sym (safeSymbol text) (BaseBVRepr width)
      ask what assertions = solver_adapter_check_sat adapter sym defaultLogData assertions $ \answer -> case answer of
        Sat (values, _) -> do
          hold <- mapM (groundEval values) assertions
          putStrLn (what ++ ": sat, " ++ (if and hold then "holds" else "fails"))
        Unsat _ -> putStrLn (what ++ ": unsat")
        Unknown -> putStrLn (what ++ ": unknown")
  x <- symbol "x"
  y <- symbol "y"
  -- x + y = (x ^ y) + 2 * (x & y)
  sides <- bvAdd sym x y
  other <- bvXorBits sym x y
  both <- bvAndBits sym x y
  twice <- bvAdd sym both both
  differ <- notPred sym =<< bvEq sym sides =<< bvAdd sym other twice
  ask "identity" [differ]
  root <- bvEq sym <$> bvMul sym x x <*> constant 0x51 >>= id
  large <- bvUgt sym x =<< constant 100
  ask "root" [root, large]
  quotient <- bvUdiv sym x y
  rest <- bvUrem sym x y
  back <- bvEq sym x =<< bvAdd sym rest =<< bvMul sym quotient y
  isDivisor <- bvUgt sym y =<< constant 0
  wrong <- notPred sym back
  ask "quotient" [wrong, isDivisor]
  -- For STP what4 has no arrays.
  unless (name == "stp") $ do
    memory <- freshConstant sym (safeSymbol "memory") (BaseArrayRepr (Ctx.singleton (BaseBVRepr width)) (BaseBVRepr width))
    written <- arrayUpdate sym memory (Ctx.singleton x) y
    apart <- notPred sym =<< bvEq sym x y
    old <- arrayLookup sym memory (Ctx.singleton y)
    new <- arrayLookup sym written (Ctx.singleton y)
    changed <- notPred sym =<< bvEq sym old new
    ask "a write elsewhere" [apart, changed]
    ask "a write" [changed]
