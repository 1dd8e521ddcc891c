"""Writes a built contract for halmos into a folder, as `forge build` would: two tests in EVM code by hand.

    check_square(uint256 x)   fails: there is an x whose square ends with the byte 0x51
    check_even(uint256 x)     holds: x * (x + 1) is even
"""

import json
import sys
from pathlib import Path

SELECTORS = {"check_square(uint256)": "11111111", "check_even(uint256)": "22222222"}


def push(data):
    return bytes([0x5f + len(data)]) + data


def code():
    """The code of the contract: jumps by the selector, and an assertion that fails as Solidity's do."""
    calldataload, mul, add, land, eq, shr = b"\x35", b"\x02", b"\x01", b"\x16", b"\x14", b"\x1c"
    dup1, jumpi, jumpdest, stop, mstore, revert = b"\x80", b"\x57", b"\x5b", b"\x00", b"\x52", b"\xfd"
    x = push(b"\x04") + calldataload
    square = x + dup1 + mul + push(b"\xff") + land + push(b"\x51") + eq
    even = x + dup1 + push(b"\x01") + add + mul + push(b"\x01") + land
    panic = push(bytes.fromhex("4e487b71") + bytes(28)) + push(b"\0") + mstore + push(b"\x01") + push(b"\x04") + mstore
    panic += push(b"\x24") + push(b"\0") + revert

    def assembled(places):
        parts = {"start": push(b"\0") + calldataload + push(b"\xe0") + shr}
        for selector, name in zip(SELECTORS.values(), ["square", "even"]):
            parts["start"] += dup1 + push(bytes.fromhex(selector)) + eq + push(places[name]) + jumpi
        parts["start"] += stop
        parts["square"] = jumpdest + square + push(places["panic"]) + jumpi + stop
        parts["even"] = jumpdest + even + push(places["panic"]) + jumpi + stop
        parts["panic"] = jumpdest + panic
        return parts

    names = ["square", "even", "panic"]
    parts, places, at = assembled(dict.fromkeys(names, b"\0\0")), {}, 0
    for name, part in parts.items():
        places[name] = at.to_bytes(2, "big")
        at += len(part)
    return b"".join(assembled(places).values())


def main():
    runtime = code()
    size = len(runtime).to_bytes(2, "big")
    # Copies the code behind itself to memory and returns it.
    creation = push(size) + push(b"\x0e") + push(b"\0") + b"\x39" + push(size) + push(b"\0") + b"\xf3"
    creation = creation.ljust(0x0e, b"\0") + runtime
    inputs = [{"name": "x", "type": "uint256", "internalType": "uint256"}]
    functions = [name.split("(")[0] for name in SELECTORS]
    abi = [{"type": "function", "name": name, "inputs": inputs, "outputs": [], "stateMutability": "pure"}
           for name in functions]
    definition = {"nodeType": "ContractDefinition", "name": "Numbers", "contractKind": "contract", "abstract": False,
                  "id": 1, "src": "0:0:0", "nodes": []}
    unit = {"nodeType": "SourceUnit", "absolutePath": "test/Numbers.sol", "id": 2, "src": "0:0:0", "nodes": [definition]}
    built = {"abi": abi, "ast": unit, "id": 0, "methodIdentifiers": SELECTORS,
             "bytecode": {"object": "0x" + creation.hex(), "linkReferences": {}, "sourceMap": ""},
             "deployedBytecode": {"object": "0x" + runtime.hex(), "linkReferences": {}, "sourceMap": ""},
             "metadata": {"compiler": {"version": "0.8.26"}, "output": {"devdoc": {"methods": {}}}}}
    folder = Path(sys.argv[1]) / "out" / "Numbers.sol"
    folder.mkdir(parents=True)
    (folder / "Numbers.json").write_text(json.dumps(built))


if __name__ == "__main__":
    main()
