// A story, its schedule and the variant of core in the fragment of a link. It never reaches a server.

const kTextMax = 1 << 20;

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let size = 0, part; !(part = await reader.read()).done;) {
    parts.push(part.value);
    if ((size += part.value.length) > kTextMax) {  // a small link may unpack to much
      throw new Error('too large');
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The fragment, without `#`. `z` is compressed, `p` is plain. */
export async function fragmentOf(text, schedule, core = '') {
  const bytes = new TextEncoder().encode(JSON.stringify(core ? [text, schedule, core] : schedule ? [text, schedule] : [text]));
  return typeof CompressionStream === 'undefined' ? `p=${toBase64(bytes)}`
    : `z=${toBase64(await through(new CompressionStream('deflate-raw'), bytes))}`;
}

export const isSchedule = (text) => typeof text === 'string' && /^w1:[\x21-\x7e]+$/.test(text);

/** What a fragment holds: {text, schedule, core}; null where it holds no story. Throws for a damaged one. */
export async function storyIn(fragment) {
  const [, how, packed] = /^#?([zp])=([\w-]+)$/.exec(fragment) ?? [];
  if (!how) {
    return null;
  }
  const bytes = fromBase64(packed);
  const plain = how === 'z' ? await through(new DecompressionStream('deflate-raw'), bytes) : bytes;
  const [text, schedule, core] = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(plain));
  if (typeof text !== 'string' || text.length > kTextMax) {
    throw new Error('no story');
  }
  return {text, schedule: isSchedule(schedule) ? schedule : '', core: String(core ?? '')};
}
