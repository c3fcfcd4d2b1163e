import type { AgentList } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAnswerJson, formatQuotedAnswer } from '../../src/operations/answer-text.ts';

const list = (agents: readonly object[]): AgentList => ({ agents }) as unknown as AgentList;

it('a list joined from cached agents equals the list written at once', () => {
  const entry = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), {
    minKeys: 1,
    maxKeys: 3,
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (agents) => {
      const value = list(agents);
      expect(Buffer.from(formatAnswerJson('list_agents', value)).toString()).toBe(
        JSON.stringify(value),
      );
      expect(formatQuotedAnswer('list_agents', value)).toBe(JSON.stringify(JSON.stringify(value)));
    }),
  );
});

it('an agent that did not change is not written again', () => {
  let read = 0;
  const agent = {
    get name() {
      read += 1;
      return 'sre';
    },
  };
  for (let time = 0; time < 3; time += 1) formatQuotedAnswer('list_agents', list([agent]));
  expect(read).toBe(1);
});
