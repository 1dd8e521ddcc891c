// From bytes of UTF-8, in which the solver counts, to UTF-16, in which the page does.

const bytes = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

/** A function from byte offsets of `text` to offsets in it. A byte within a character is its beginning. */
export function places(text: string): (byte: number) => number {
  // Only characters beyond ASCII shift anything: the byte behind each, and by how much what follows is shifted.
  const behind: number[] = [];
  const shifts: number[] = [];
  let byte = 0;
  let at = 0;
  for (const character of text) {
    const length = bytes(character.codePointAt(0)!);
    byte += length;
    at += character.length;
    if (length > 1) {
      behind.push(byte);
      shifts.push(byte - at);
    }
  }
  return (wanted) => {
    let [low, high] = [0, behind.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (behind[middle]! <= wanted) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, Math.min(wanted - (shifts[low - 1] ?? 0), text.length));
  };
}
