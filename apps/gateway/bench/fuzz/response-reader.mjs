// A strict reader of HTTP/1.1 responses and of the JSON-RPC messages in them.

const STATUSES = new Set([
  200, 202, 204, 400, 403, 404, 405, 406, 408, 413, 415, 417, 429, 431, 503,
]);
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [ -~]*$/;
const HEADER_LINE = /^[!#$%&'*+.^_`|~\w-]+:[ \t]*[\t -~\x80-\xff]*$/;

/** A response that breaks a rule. */
export class ResponseProblem extends Error {}

const fail = (text) => {
  throw new ResponseProblem(text);
};

/** Reads all responses of a connection that has ended. Returns their statuses; throws a {@link ResponseProblem}. */
export const readResponses = (bytes) => {
  const statuses = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { statuses, isCut: true };
    const head = readHead(rest.subarray(0, end).toString('latin1'));
    const body = readBody(head, rest.subarray(end + 4));
    if (body === undefined) return { statuses, isCut: true, isStream: isStream(head) };
    if (head.status !== 100) {
      statuses.push(head.status);
      checkMessages(head, body.content);
    }
    rest = body.rest;
  }
  return { statuses, isCut: false };
};

const isStream = ({ headers }) => headers.get('content-type')?.startsWith('text/event-stream');

const readHead = (text) => {
  const [first, ...lines] = text.split('\r\n');
  const [, digits] = STATUS_LINE.exec(first) ?? fail(`no status line: ${first.slice(0, 80)}`);
  const status = Number(digits);
  if (status !== 100 && !STATUSES.has(status)) fail(`status ${status} is not documented`);
  const headers = new Map();
  for (const line of lines) {
    if (!HEADER_LINE.test(line)) fail(`no header line: ${line.slice(0, 80)}`);
    headers.set(
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    );
  }
  return { status, headers };
};

const readBody = ({ status, headers }, rest) => {
  if (status === 204 || status === 100) return { content: undefined, rest };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = Number(
    headers.get('content-length') ?? (headers.get('connection') === 'close' ? rest.length : 0),
  );
  if (rest.length < length) return undefined;
  return { content: rest.subarray(0, length), rest: rest.subarray(length) };
};

const readChunks = (bytes) => {
  const parts = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n');
    if (end < 0) return undefined;
    const size = Number.parseInt(rest.subarray(0, end).toString('latin1'), 16);
    if (Number.isNaN(size)) fail('a chunk without a size');
    const next = end + 2 + size + 2;
    if (rest.length < next) return undefined;
    parts.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(next);
    if (size === 0) return { content: Buffer.concat(parts), rest };
  }
};

const checkMessages = ({ status, headers }, content) => {
  const type = headers.get('content-type') ?? '';
  if (content === undefined || content.length === 0) {
    if (status === 503) fail('503 without a reason');
    return;
  }
  const text = content.toString('utf8');
  if (type.startsWith('application/json')) checkJson(text);
  else if (type.startsWith('text/event-stream')) {
    for (const line of text.split('\n')) if (/^data: ./.test(line)) checkJson(line.slice(6));
  }
};

/** The answer of `/healthz`, which is no message. */
const HEALTHY = '{"status":"ok"}';

const checkJson = (text) => {
  if (text.trim() === HEALTHY) return;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    fail(`no JSON: ${text.slice(0, 80)}`);
  }
  for (const message of Array.isArray(value) ? value : [value]) checkMessage(message, text);
};

const checkMessage = (message, text) => {
  const { jsonrpc, error, result, method } = message ?? {};
  const isError = Number.isInteger(error?.code) && typeof error.message === 'string';
  if (jsonrpc !== '2.0' || (result === undefined && method === undefined && !isError)) {
    fail(`no JSON-RPC message: ${text.slice(0, 200)}`);
  }
  // The code of an exception inside the service.
  if (error?.code === -32_603 && error.message === 'Internal error') fail('an internal error');
};
