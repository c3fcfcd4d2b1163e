import { OPERATIONS, refuse, type OperationName } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import type { AgentStore } from '../../src/index.ts';
import { memoryStore } from '../support/memory-store.ts';
import { createService, release } from '../support/service-parts.ts';

const SRE = release('sre', { values: {} });

const DRAFTS = {
  get_info: {},
  list_agents: {},
  get_agent: { name: 'sre' },
  get_agent_status: { name: 'sre' },
  validate_agent: { name: 'new', modelConfig: 'small', toolset: ['preset:none'] },
  list_model_configs: {},
  list_skills: {},
  create_agent: { name: 'new', modelConfig: 'small', toolset: ['preset:none'] },
  update_agent: { name: 'sre', description: 'x', modelConfig: 'large' },
  delete_agent: { name: 'sre' },
} as const satisfies Record<OperationName, object>;

const NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

/** The methods of a store that an operation calls, in order. */
const callsOf = async (name: OperationName): Promise<readonly string[]> => {
  const calls: string[] = [];
  const store = new Proxy(memoryStore({ objects: [SRE], takesAnyModel: true }), {
    get: (target, method: keyof AgentStore) => {
      calls.push(method);
      return target[method];
    },
  });
  await createService({ store })[name](DRAFTS[name] as never);
  return [...new Set(calls)];
};

/** Methods whose result is only shown, or whose failure leaves something behind: the operation continues without it. */
const TOLERATED: Partial<Record<OperationName, readonly string[]>> = {
  create_agent: ['getSource'],
  update_agent: ['getSource'],
  delete_agent: ['getSource'],
};

/** The response of an operation when one method of the store fails, and the expected change of the objects in the store. */
const answered = async (name: OperationName, method: string, failing: () => Promise<unknown>) => {
  const memory = memoryStore({ objects: [SRE], takesAnyModel: true });
  const store = { ...memory, [method]: failing };
  const answer = await createService({ store })[name](DRAFTS[name] as never);
  return { answer, contents: memory.contents().map(({ kind }) => kind) };
};

describe('a store that refuses', () => {
  it.each(NAMES)('makes %s report it and write nothing more', async (name) => {
    const tolerated: string[] = [];
    for (const method of await callsOf(name)) {
      const failing = () => Promise.resolve(refuse('forbidden', 'not you'));
      const { answer, contents } = await answered(name, method, failing);
      if (answer.ok) {
        tolerated.push(method);
        continue;
      }
      expect(answer.error).toEqual({ code: 'forbidden', message: 'forbidden: not you' });
      expect(contents).toEqual(
        method === 'createRelease' ? ['HelmRelease', 'OCIRepository'] : ['HelmRelease'],
      );
    }
    expect(tolerated).toEqual(TOLERATED[name] ?? []);
  });
});

describe('a store that throws, which none should', () => {
  it('is passed to the error listener of the service, as it was thrown', async () => {
    const boom = new Error('boom');
    const errors: unknown[] = [];
    const listReleases = () => Promise.reject(boom);
    const store = { ...memoryStore(), listReleases };
    const onError = (error: unknown) => void errors.push(error);
    await createService({ store, onError }).list_agents({});
    expect(errors).toEqual([boom]);
  });
  it.each(NAMES)('never makes %s reject', async (name) => {
    for (const method of await callsOf(name)) {
      const { answer } = await answered(name, method, () => {
        throw new Error(`boom\n${'at line 1\n'.repeat(1_000)}`);
      });
      expect(answer).toEqual({
        ok: false,
        error: { code: 'backend_error', message: 'agent-manager failed: boom' },
      });
    }
  });
});
