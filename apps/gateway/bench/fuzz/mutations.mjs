// Damages to the bytes of a frame. Each is a pure function of the bytes, a source of numbers and the corpus.
import { below, pick } from './random.mjs';

const CRLF = '\r\n';
const END = '\r\n\r\n';

const cut = (bytes, at, length, middle = Buffer.alloc(0)) =>
  Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + length)]);

const headOf = (bytes) => {
  const end = bytes.indexOf(END);
  return end < 0
    ? { lines: [bytes.toString('latin1')], body: Buffer.alloc(0) }
    : {
        lines: bytes.subarray(0, end).toString('latin1').split(CRLF),
        body: bytes.subarray(end + END.length),
      };
};

const frameOf = (lines, body) =>
  Buffer.concat([Buffer.from(lines.join(CRLF) + END, 'latin1'), body]);

const withHeader = (bytes, name, value) => {
  const { lines, body } = headOf(bytes);
  const others = lines.filter((line) => !line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return frameOf([...others, `${name}: ${value}`], body);
};

const withBody = (bytes, text) => {
  const { lines } = headOf(bytes);
  const body = Buffer.from(text, 'utf8');
  return withHeader(frameOf(lines, body), 'Content-Length', body.length);
};

const LENGTHS = [
  '-1',
  '0',
  '1',
  '+5',
  '0x10',
  '1e3',
  ' 7',
  '7, 7',
  '99999999',
  '18446744073709551616',
];
const TOKENS = [
  '__proto__',
  'constructor',
  '',
  '\u0000',
  'a'.repeat(5_000),
  '%00',
  '😀',
  'null',
  '-1',
];
const CODINGS = [
  'chunked',
  'chunked, chunked',
  'gzip',
  'identity',
  'xchunked',
  ' chunked',
  'chunked\tx',
];
const CHUNKS = ['0', 'g', '-1', 'fffffffffffffffff', '5;x="', '00000000000005', '0x5', ''];
const ID_VALUES = ['null', '[]', '{}', '1e999', '-0', '"\\ud800"', '9007199254740993', 'true'];

const bytesOfAny = (random, length) =>
  Buffer.from(Array.from({ length }, () => below(random, 256)));

/** The damages by name. */
export const MUTATIONS = {
  none: (bytes) => bytes,
  flipBits: (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let count = 1 + below(random, 8); count > 0; count -= 1) {
      const at = below(random, copy.length);
      copy[at] ^= 1 << below(random, 8);
    }
    return copy;
  },
  truncate: (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  removeBytes: (bytes, random) => cut(bytes, below(random, bytes.length), 1 + below(random, 40)),
  insertBytes: (bytes, random) =>
    cut(bytes, below(random, bytes.length), 0, bytesOfAny(random, 1 + below(random, 40))),
  splice: (bytes, random, corpus) => {
    const other = pick(random, corpus);
    const end = bytes.subarray(0, below(random, bytes.length));
    return Buffer.concat([end, other.subarray(below(random, other.length))]);
  },
  duplicateHeader: (bytes, random) => {
    const { lines, body } = headOf(bytes);
    const line = lines[1 + below(random, Math.max(1, lines.length - 1))] ?? 'A: b';
    return frameOf([...lines, ...Array.from({ length: 1 + below(random, 4) }, () => line)], body);
  },
  manyHeaders: (bytes, random) => {
    const { lines, body } = headOf(bytes);
    const more = Array.from({ length: below(random, 400) }, (_, at) => `X-${at}: ${at}`);
    return frameOf([...lines, ...more], body);
  },
  changeHeader: (bytes, random) => {
    const { lines, body } = headOf(bytes);
    const at = below(random, lines.length);
    const [name] = lines[at].split(':');
    return frameOf(lines.with(at, `${name}: ${pick(random, TOKENS)}`), body);
  },
  changeToolset: (bytes, random) =>
    withHeader(bytes, 'X-Gateway-Toolset', `${pick(random, TOKENS)},tool:${pick(random, TOKENS)}`),
  changeLength: (bytes, random) => withHeader(bytes, 'Content-Length', pick(random, LENGTHS)),
  bothFramings: (bytes, random) => {
    const { lines, body } = headOf(bytes);
    return frameOf([...lines, `Transfer-Encoding: ${pick(random, CODINGS)}`], body);
  },
  chunk: (bytes, random) => {
    const { lines, body } = headOf(bytes);
    const kept = lines.filter((line) => !line.toLowerCase().startsWith('content-length:'));
    const at = below(random, body.length + 1);
    const size = random() < 0.5 ? at.toString(16) : pick(random, CHUNKS);
    const parts = [size, body.subarray(0, at).toString('latin1'), '0', '', ''].join(CRLF);
    return frameOf([...kept, 'Transfer-Encoding: chunked'], Buffer.from(parts, 'latin1'));
  },
  deepJson: (bytes, random) => {
    const depth = pick(random, [100, 127, 128, 129, 1_000, 50_000]);
    const [open, close] = pick(random, [
      ['[', ']'],
      ['{"a":', '}'],
    ]);
    const value = open.repeat(depth) + '1' + close.repeat(random() < 0.5 ? depth : 0);
    return withBody(bytes, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${value}}}`);
  },
  oddMember: (bytes, random) => {
    const { body } = headOf(bytes);
    const value = pick(random, ID_VALUES);
    const key = pick(random, ['id', 'method', 'params', 'jsonrpc', 'name', 'arguments', '_meta']);
    return withBody(bytes, body.toString('utf8').replace(`"${key}":`, `"${key}":${value},"z":`));
  },
  wideJson: (bytes, random) => {
    const names = Array.from({ length: below(random, 3_000) }, (_, at) => `"${at}":${at}`);
    return withBody(bytes, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${names.join()}}}`);
  },
  pipeline: (bytes, random, corpus) =>
    Buffer.concat([
      bytes,
      ...Array.from({ length: 1 + below(random, 3) }, () => pick(random, corpus)),
    ]),
  rawBytes: (bytes, random) => bytesOfAny(random, 1 + below(random, 300)),
};

const NAMES = Object.keys(MUTATIONS);

/** Returns the bytes of a frame and how they are written: in parts, with pauses, with an early end. */
export const frameFor = (random, corpus) => {
  const names = Array.from({ length: random() < 0.8 ? 1 : 2 }, () => pick(random, NAMES));
  let bytes = pick(random, corpus);
  for (const name of names) {
    if (bytes.length > 0) bytes = MUTATIONS[name](bytes, random, corpus);
  }
  const parts = random() < 0.85 ? 1 : 2 + below(random, 6);
  return { bytes, names, parts, endsEarly: random() < 0.1, resets: random() < 0.02 };
};
