import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { resultOf, running } from './harness/downstream.ts';
import { fixture } from './harness/fixture.ts';
import { defineServer } from './harness/servers.ts';

it('a stdio server receives line ends of Unicode and controls of the text direction as escapes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'stdio-lines-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const received = join(directory, 'received');
  const command = 'tee "$0" | "$1" "$2"';
  const args = ['-c', command, received, process.execPath, fixture('raw-stdio.mjs')];
  const { downstream } = await running([
    defineServer('raw', { type: 'stdio', command: 'sh', args }),
  ]);
  const odd = 'a\u2028b\u2029c\u0085d\u202ee\u2066f\u200fg\ufeff';
  const message = { [odd]: odd, letters: 'größe 漢字 👩‍👩‍👧' };
  const call = { server: 'raw', tool: 'params', arguments: { message } };
  expect(resultOf(await downstream.callTool(call))).toMatchObject({
    params: { arguments: { message } },
  });
  const lines = readFileSync(received, 'utf8');
  // A reader such as Python's splitlines() sees as many lines as there are messages.
  const split = lines.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029\u001c-\u001e]/u);
  const calls = split.filter((line) => line.includes('"tools/call"'));
  expect(calls).toHaveLength(1);
  expect(JSON.parse(calls[0] ?? '')).toMatchObject({ params: { arguments: { message } } });
  expect(calls[0]).toContain('\\u202ee\\u2066f\\u200fg\\ufeff');
  expect(calls[0]).toContain('größe 漢字 👩‍👩‍👧');
});
