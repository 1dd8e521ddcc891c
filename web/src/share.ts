// A script in a link: deflated, in base64 for addresses, behind the `#`, so that no server sees it.

/** A link makes no more text than this: few bytes of it could stand for any amount. */
export const MOST_BYTES = 4 << 20;

const tooLong = () => new RangeError(`expected a script of at most ${MOST_BYTES} bytes in a link, found more`);

/** All bytes that come out of a transformation, at most `MOST_BYTES` of them. */
async function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw tooLong();
    }
    chunks.push(next.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export async function toHash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  // A link that would not open again.
  if (bytes.length > MOST_BYTES) throw tooLong();
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return "#s=" + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The script of a link; `null` if it has none, an exception if it is damaged. */
export async function fromHash(hash: string): Promise<string | null> {
  if (!hash.startsWith("#s=")) return null;
  const letters = atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(
    await through(packed, new DecompressionStream("deflate-raw")),
  );
}
