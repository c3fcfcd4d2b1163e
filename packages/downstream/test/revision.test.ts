import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatDownstreamError, type Downstream } from '../src/index.ts';
import { testCaller } from './harness/callers.ts';
import { eventually, resultOf, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { stdioFixture } from './harness/servers.ts';

const QUESTION = {
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
};
const YES = { action: 'accept', content: { sure: true } };

const asker = (args: readonly string[], spec: object = {}) =>
  stdioFixture('asker', 'era-asker.mjs', args, { ...spec });

const connected = async (server: ReturnType<typeof asker>): Promise<Downstream> => {
  const { downstream } = testDownstream({ clientFeatures: { elicitation: { form: {} } } });
  downstream.apply([server]);
  await eventually('the server was tried', () =>
    /^(?:Running|Connected|Failed)$/u.test(viewOf(downstream, server.metadata.name).state),
  );
  return downstream;
};

const revisionOf = (downstream: Downstream): string | undefined =>
  downstream.servers()[0]?.protocolVersion;

const asked = async (downstream: Downstream): Promise<string> => {
  const caller = testCaller('ann', {}, () => ({ ok: true, result: YES }));
  const call = { server: 'asker', tool: 'ask', arguments: QUESTION };
  const outcome = await downstream.callTool(call, { caller });
  if (!outcome.ok) return formatDownstreamError(outcome.error);
  const { content } = resultOf(outcome);
  return (content as readonly { readonly text: string }[])[0]?.text ?? '';
};

describe('a server that decides its revision', () => {
  it('is connected in the 2025 revisions when it declares more there, can ask, and is compared once', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gateway-test-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'starts');
    const starts = (): number => readFileSync(file, 'utf8').trim().split('\n').length;
    const downstream = await connected(asker(['--announces=2025', `--starts=${file}`]));
    expect([revisionOf(downstream), starts()]).toEqual(['2025-11-25', 2]);
    expect(await asked(downstream)).toBe(JSON.stringify(YES));
    expect(await downstream.restart('asker')).toMatchObject({ code: 'restarted' });
    expect([revisionOf(downstream), starts()]).toEqual(['2025-11-25', 3]);
  });

  it('is connected as 2026-07-28 when it declares the same in both', async () => {
    const downstream = await connected(asker([]));
    expect(revisionOf(downstream)).toBe('2026-07-28');
    const refusal = 'is not supported by the negotiated protocol version';
    expect(await asked(downstream)).toContain(refusal);
  });
});

describe('spec.protocol', () => {
  it('2025-11-25 limits a server that would be connected as 2026-07-28, also when it is set later', async () => {
    const downstream = await connected(asker([], { protocol: '2026-07-28' }));
    downstream.apply([asker([], { protocol: '2025-11-25' })]);
    await eventually('the revision changes', () => revisionOf(downstream) === '2025-11-25');
    await untilState(downstream, 'asker', 'Running');
    expect(await asked(downstream)).toBe(JSON.stringify(YES));
  });

  it('2026-07-28 limits a server that would be connected in the 2025 revisions', async () => {
    const downstream = await connected(asker(['--announces=2025'], { protocol: '2026-07-28' }));
    expect(revisionOf(downstream)).toBe('2026-07-28');
  });

  it.each([
    ['2025-11-25', () => asker(['--modern-only'], { protocol: '2025-11-25' })],
    ['2026-07-28', () => stdioFixture('asker', 'gen1-stdio.mjs', [], { protocol: '2026-07-28' })],
  ])('%s fails for a server that does not serve it', async (_revision, define) => {
    const { state, reason } = viewOf(await connected(define()), 'asker');
    expect([state, reason]).toEqual(['Failed', expect.stringMatching(/./u)]);
  });
});
