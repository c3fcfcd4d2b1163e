import { createIsolation } from '../../src/isolation/isolated-functions.ts';

/** Takes minutes. */
const template =
  '{{ $t := repeat 500000 "ab " }}{{ range 1000000 }}{{ $x := regexMatch "(a|b)*c" $t }}{{ end }}';
const limits = { maxBytes: 1e12, maxSteps: 1e15, now: 0 };
const { isolate } = createIsolation({
  processes: 1,
  memoryBytes: 64 * 1024 * 1024,
  timeoutMs: 600_000,
});
const work = (data: string) => ({
  work: () => ({ kind: 'render', templates: [{ template: data }], data: {}, limits }),
  turn: { user: '' },
  signal: new AbortController().signal,
});
await isolate(work('{{ upper "a" }}'));
process.stdout.write('started\n');
await isolate(work(template));
