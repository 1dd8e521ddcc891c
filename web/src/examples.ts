// The examples of the page, in groups: scripts of the book, from the folder that its commands run in, and those of
// `examples`. What each answers stands in `tests/examples.json`.

/** The texts by the paths from here. */
const texts = import.meta.glob<string>(["./examples/*.smt2", "../../examples/*.smt2"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Title and file of each, in the order of the menu. A file without a folder is one of `examples`. */
const groups: Record<string, Record<string, string>> = {
  "First steps": {
    "A square root": "../../examples/square.smt2",
    "Two writes to a memory": "../../examples/memory.smt2",
    "Mistakes": "../../examples/mistakes.smt2",
    "Twice a number is even": "../../examples/odd.smt2",
    "What matters, and what contradicts": "../../examples/why.smt2",
  },
  Arithmetic: {
    "An inverse modulo 2^32": "inverse",
    "A Pythagorean triple": "triple",
    "Two factors": "factors",
    "Division by three without a division": "third",
    "Quotient, remainder, and zero": "division",
    "Signed division": "signs",
    "A sum of two cubes in two ways": "cubes",
    "The seed of a random generator": "generator",
  },
  Puzzles: {
    "SEND + MORE = MONEY": "send-more",
    "A magic square": "magic-square",
    "Six queens": "queens",
    "A small sudoku": "sudoku",
    "Knights and knaves": "knights",
    "A subset with a sum": "subset",
    "Two jugs of water": "jugs",
    "The key of a cipher": "cipher",
  },
  "Bit tricks": {
    "The lowest bit of a word": "lowest-bit",
    "Is it a power of two?": "power",
    "An average without overflow": "average",
    "An absolute value without a branch": "absolute",
    "A swap without a third variable": "swap",
    "Counting the bits of a word": "count",
    "The bits of a byte, reversed": "reverse",
    "Gray code": "gray",
    "A sum of shared and single bits": "sum-of-parts",
    "The next power of two": "round-up",
    "A sum that saturates": "saturate",
  },
  Programs: {
    "Is the middle in the middle?": "overflow",
    "Room for n records": "allocation",
    "A comparison by a subtraction": "comparison",
    "A clock that wraps around": "clock",
    "The day that did not end": "leap-year",
    "Is the optimised program the same?": "compiler",
    "Four rounds of Euclid's algorithm": "euclid",
    "Three comparisons sort three words": "sort",
    "A loop with an invariant": "loop",
  },
  Memories: {
    "Two cells change places": "memory-swap",
    "The exchange that loses a value": "xor-swap",
    "A word in bytes": "bytes",
    "A copy onto itself": "copy",
    "A stack in memory": "stack",
    "An array of zeros": "zeros",
    "Equal everywhere, and yet different?": "extensionality",
    "A table of pages": "pages",
  },
  Functions: {
    "Three steps and five steps": "cycle",
    "Pigeons and holes": "pigeons",
    "Two keys with one hash": "hash",
    "A function with an inverse": "inverse-function",
    "A pipeline without its multiplier": "pipeline",
    "A sum over a function: lemmas": "commuting",
  },
  Circuits: {
    "An adder made of gates": "adder",
    "A product as a sum of rows": "multiplier",
    "A barrel shifter": "shifter",
    "A code that corrects an error": "hamming",
    "A checksum that misses nothing short": "crc",
    "A shift register with feedback": "register",
    "Traffic lights": "lights",
  },
  Sessions: {
    "Levels": "levels",
    "Assumptions": "assumptions",
    "A model as text": "model",
    "Why unknown?": "reasons",
    "Begin anew": "reset",
    "Names and definitions": "names",
    "Why not? A core": "core",
    "A product that takes long": "product",
  },
};

/** A script of the menu. */
export interface Example {
  group: string;
  name: string;
  text: string;
}

export const examples: Example[] = Object.entries(groups).flatMap(([group, scripts]) =>
  Object.entries(scripts).map(([name, file]) => ({ group, name, text: text(file) })),
);

function text(file: string): string {
  const found = texts[file.startsWith(".") ? file : `./examples/${file}.smt2`];
  if (found === undefined) throw new Error(`there is no example ${file}`);
  return found;
}
