// A script in a link: deflated, in base64 for addresses, behind the `#`, so that no server sees it.

async function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function toHash(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
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
