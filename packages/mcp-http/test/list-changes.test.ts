import type { JsonObject } from '@gateway/call-contract';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ListChangeNotifier } from '../src/sessions/list-changes.ts';
import type { McpService } from '../src/index.ts';
import { user } from './principals.ts';

type Listener = Parameters<NonNullable<McpService['onListChanged']>>[0];

const TOOLS: readonly JsonObject[] = [{ name: 'call_tool' }];

/** A service whose list is the same for all while its tools reach others, by the subject of the caller. */
const watchSocket = () => {
  const reached = new Map<string, string>();
  const compared: string[] = [];
  let notify: Listener = () => undefined;
  const service: McpService = {
    info: { name: 'test', version: '1' },
    capabilities: { tools: { listChanged: true } },
    list: (_method, { principal }) => {
      compared.push(principal.subject);
      return { ok: true, items: TOOLS };
    },
    call: () => ({ ok: true, result: {} }),
    reachableTools: ({ principal }) => reached.get(principal.subject) ?? '',
    onListChanged: (listener) => {
      notify = listener;
      return () => undefined;
    },
  };
  const watch = new ListChangeNotifier(service, () => undefined);
  const announced: string[] = [];
  for (const subject of ['ada', 'ben']) {
    watch.add({
      context: { principal: user(subject), sessionId: undefined, header: () => undefined },
      kinds: ['tools'],
      onChanged: (kind) => announced.push(`${subject}: ${kind}`),
    });
  }
  compared.length = 0;
  return {
    reached,
    compared,
    announced,
    changed: (...args: Parameters<Listener>) => notify(...args),
  };
};

describe('tools that reach other tools', () => {
  it('are announced to the callers who reach others than before', async () => {
    const { reached, announced, changed } = watchSocket();
    reached.set('ada', 'notes');
    changed('tools');
    await nextTurn();
    changed('tools');
    await nextTurn();
    expect(announced).toEqual(['ada: tools']);
  });
});

describe('a change for some callers', () => {
  it('is looked up for these callers alone', async () => {
    const { compared, announced, changed } = watchSocket();
    changed('tools', new Set([user('ben').key]));
    await nextTurn();
    expect([compared, announced]).toEqual([['ben'], []]);
  });

  it('is looked up for all when the same burst has a change for all', async () => {
    const { compared, changed } = watchSocket();
    changed('tools', new Set([user('ben').key]));
    changed('tools');
    changed('tools', new Set([user('ada').key]));
    await nextTurn();
    expect(compared).toEqual(['ada', 'ben']);
  });
});
