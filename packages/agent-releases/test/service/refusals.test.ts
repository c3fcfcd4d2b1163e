import { readFileSync } from 'node:fs';
import {
  OPERATIONS,
  parseArguments,
  REFUSAL_STATUS,
  type ClientOutcome,
  type OperationName,
  type AgentRefusalCode,
  type ValidateResult,
} from '@gateway/agent-manager-client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentService } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore, type MemoryStore } from '../support/memory-store.ts';
import { createService } from '../support/service-parts.ts';

interface Case {
  readonly operation: OperationName;
  readonly situation: string;
  readonly needs?: readonly ('cluster' | 'skills')[];
  readonly through?: readonly ('rest' | 'mcp')[];
  readonly arguments: unknown;
  readonly refusal?: {
    readonly status: number;
    readonly code: AgentRefusalCode;
    readonly message: string;
  };
  readonly errors?: readonly string[];
}

interface Vectors {
  readonly namespaces: readonly [string, ...string[]];
  readonly objects: readonly KubernetesObject[];
  readonly cases: readonly Case[];
}

const FILE = new URL('../../../agent-manager-client/vectors/refusals.json', import.meta.url);
const { namespaces, objects, cases } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;

const call = async (
  service: AgentService,
  { operation, arguments: given }: Case,
): Promise<ClientOutcome<unknown>> => {
  const draft = parseArguments(operation, given);
  return draft.ok ? service[operation](draft.value as never) : draft;
};

let store: MemoryStore;
let service: AgentService;

beforeEach(() => {
  store = memoryStore({ objects });
  service = createService({ store, namespaces });
});

const hereCases = cases.filter(({ needs }) => needs?.includes('skills') !== true);

describe('vectors/refusals.json', () => {
  it.each(hereCases.filter(({ refusal }) => refusal !== undefined))(
    '$operation refuses $situation: $refusal.message',
    async (one) => {
      const { code, message, status } = one.refusal!;
      expect(await call(service, one)).toEqual({ ok: false, error: { code, message } });
      expect(status).toBe(REFUSAL_STATUS[code]);
      expect(OPERATIONS[one.operation].refusals).toContain(code);
      expect(store.contents()).toEqual(objects);
    },
  );

  it.each(hereCases.filter(({ errors }) => errors !== undefined))(
    '$operation finds $situation: $errors',
    async (one) => {
      const answer = (await call(service, one)) as ClientOutcome<ValidateResult>;
      expect(answer).toMatchObject({ ok: true, value: { valid: false } });
      expect(answer.ok && answer.value.errors).toEqual(one.errors);
      expect(store.contents()).toEqual(objects);
    },
  );
});
