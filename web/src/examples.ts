// The examples of the book, from the folder that its commands run in, and some of this page.

import commuting from "./examples/commuting.smt2?raw";
import core from "./examples/core.smt2?raw";
import overflow from "./examples/overflow.smt2?raw";
import product from "./examples/product.smt2?raw";
import memory from "../../examples/memory.smt2?raw";
import mistakes from "../../examples/mistakes.smt2?raw";
import odd from "../../examples/odd.smt2?raw";
import square from "../../examples/square.smt2?raw";

export const examples: [name: string, text: string][] = [
  ["A square root", square],
  ["Two writes to a memory", memory],
  ["Mistakes", mistakes],
  ["Twice a number is even", odd],
  ["Is the middle in the middle?", overflow],
  ["Why not? A core", core],
  ["A sum over a function: lemmas", commuting],
  ["A product that takes long", product],
];
