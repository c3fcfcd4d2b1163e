/** Compares a scan of JSON text with `JSON.parse`, for small and large texts. Prints milliseconds per MB; run it with Node 24. */
import { JsonScan } from '@gateway/mcp-wire';

const MB = 1e6;
const filled = (bytes, item) => {
  const items = [];
  for (let size = 0; size < bytes; size += items.at(-1).length + 1) items.push(item(items.length));
  return items.join(',');
};
const answer = (result) => `{"jsonrpc":"2.0","id":1000000000,"result":${result}}`;
const textResult = (text) => answer(`{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`);
const pod = (id) =>
  JSON.stringify({ id, name: `pod-${id}`, labels: { app: 'x' }, ok: true, n: 1.5 });

const SHAPES = {
  'small result': textResult('The quick brown fox jumps over the lazy dog.'),
  '1 MB of text': textResult('lorem ipsum dolor sit amet, '.repeat(MB / 28)),
  '1 MB of lines': textResult('lorem "ipsum" dolor\n'.repeat(MB / 20)),
  '1 MB of accents': textResult('lörem ipsum dölor sit amet, '.repeat(MB / 30)),
  '1 MB of objects': answer(`{"structuredContent":{"items":[${filled(MB, pod)}]}}`),
  '1 MB of empty arrays': answer(`{"structuredContent":[${filled(MB, () => '[]')}]}`),
  '1 MB of short keys': answer(`{"_meta":{${filled(MB, (n) => `"${n.toString(36)}":1`)}}}`),
};

const WANTED = {
  members: { jsonrpc: {}, id: {}, result: { members: { _meta: {}, isError: {}, resultType: {} } } },
};

const best = (run, bytes) => {
  const times = Math.max(1, Math.round(20_000 / bytes));
  let least = Infinity;
  for (let round = 0; round < 30; round += 1) {
    const start = process.hrtime.bigint();
    for (let time = 0; time < times; time += 1) run();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 1e6 / times);
  }
  return least;
};

for (const [name, text] of Object.entries(SHAPES)) {
  const bytes = Buffer.from(text);
  const scan = best(() => new JsonScan(bytes, WANTED).advance(), bytes.length);
  const parse = best(() => JSON.parse(bytes.toString('utf8')), bytes.length);
  const perMb = (ms) => `${((ms * MB) / bytes.length).toFixed(2)} ms/MB`;
  const micros = (ms) => `${(ms * 1000).toFixed(2)} µs`;
  console.log(
    bytes.length < 1000
      ? `${name}: scan ${micros(scan)}, parse ${micros(parse)}`
      : `${name}: scan ${perMb(scan)}, parse ${perMb(parse)}`,
  );
}
