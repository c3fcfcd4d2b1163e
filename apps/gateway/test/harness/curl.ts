import { parseArgs } from 'node:util';

/** The options of `curl` that the documentation may use. */
const OPTIONS = {
  silent: { type: 'boolean', short: 's' },
  request: { type: 'string', short: 'X' },
  json: { type: 'string' },
} as const;

const JSON_TYPE = 'application/json';

/**
 * Sends what `curl` would send, and answers the body, which is what it prints. There may be no `curl` where the tests run.
 *
 * @param words the command without the word `curl`; other options than those above throw
 */
export async function curl(words: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: OPTIONS,
    allowPositionals: true,
  });
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) throw new Error('curl wants one address');
  const { json, request = json === undefined ? 'GET' : 'POST' } = values;
  const asJson = { body: json ?? '', headers: { 'content-type': JSON_TYPE, accept: JSON_TYPE } };
  const answer = await fetch(url, { method: request, ...(json !== undefined && asJson) });
  return answer.text();
}
