{-# LANGUAGE ScopedTypeVariables #-}

-- Theorems, models, arrays, a core and levels through SBV: `sbv SOLVER`. Prints what all solvers agree on.
import Control.Exception
import Data.SBV
import Data.SBV.Control
import System.Environment
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  [name] <- getArgs
  let solver = case name of
        "z3" -> z3
        "yices-smt2" -> yices
        "boolector" -> boolector
        "bitwuzla" -> bitwuzla
        "cvc4" -> cvc4
        "cvc5" -> cvc5
        _ -> error name
  job "identity" $ kind . theorem <$> proveWith solver (\(x :: SWord32) y -> x + y .== (x `xor` y) + 2 * (x .&. y))
  job "overflow" $ kind . theorem <$> proveWith solver (\(x :: SWord8) -> x .< x + 1)
  job "root" $ kind . result <$> satWith solver (\(x :: SWord16) -> x * x .== 0x1b59 .&& x .< 1000)
  job "quotient" $ kind . theorem <$> proveWith solver (\(x :: SInt8) y -> y ./= 0 .=> x `sDiv` y * y + x `sMod` y .== x)
  job "all" $ do
    AllSatResult {allSatResults = models} <- allSatWith solver $ \(x :: SWord8) -> x .&. (x - 1) .== 0 .&& x .< 32
    return (show (length models))
  job "array" $ kind . theorem <$> proveWith solver (\(a :: SArray Word8 Word8) i j v ->
    i ./= j .=> readArray (writeArray a i v) j .== readArray a j)
  job "levels" $ runSMTWith solver $ do
    x <- sWord8 "x"
    constrain $ x .> 100
    query $ do
      first <- checkSat
      value <- getValue x
      push 1
      constrain $ x .< 100
      second <- checkSat
      pop 1
      third <- checkSat
      return (show (first, value > 100, second, third))
  job "core" $ runSMTWith solver $ do
    x <- sWord8 "x"
    setOption $ ProduceUnsatCores True
    namedConstraint "above" $ x .> 100
    namedConstraint "below" $ x .< 50
    namedConstraint "beside" $ x ./= 7
    query $ do
      answer <- checkSat
      core <- getUnsatCore
      return (show (answer, filter (/= "beside") core))
 where
  job what work = do
    outcome <- try work
    putStrLn (what ++ ": " ++ either (\(e :: SomeException) -> "exception " ++ unwords (take 9 (words (show e)))) id outcome)
  theorem (ThmResult r) = r
  result (SatResult r) = r
  kind r = case r of
    Unsatisfiable {} -> "unsat"
    Satisfiable {} -> "sat"
    Unknown {} -> "unknown"
    ProofError _ text _ -> "error " ++ unwords (take 3 text)
    _ -> "another answer"
