import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OperationName } from '@gateway/agent-manager-client';
import type { AgentStore, KubernetesObject } from '@gateway/agent-releases';
import { createGitSkillSource } from '@gateway/agent-releases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { TRANSPORTS } from './harness/transports.ts';
import { filesIn } from './harness/files-in.ts';
import { startService, type StartedService } from './harness/started-service.ts';

interface Case {
  readonly operation: OperationName;
  readonly situation: string;
  readonly needs?: readonly string[];
  readonly through?: readonly (keyof typeof TRANSPORTS)[];
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly refusal?: { readonly status: number; readonly code: string; readonly message: string };
  readonly errors?: readonly string[];
}

interface Vectors {
  readonly namespaces: readonly [string, ...string[]];
  readonly skillsRepositories: readonly string[];
  readonly objects: readonly KubernetesObject[];
  readonly cases: readonly Case[];
}

const FILE = '../../../packages/agent-manager-client/vectors/refusals.json';
// Not as a module: that would make a prototype of the member `__proto__`.
const { namespaces, skillsRepositories, objects, cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, FILE), 'utf8'),
) as Vectors;
const agents = objects.filter(({ kind }) => kind === 'Agent');

/** Agents, and namespaces without models, exist only in clusters; here they are added to the files. */
const likeCluster = (store: AgentStore): AgentStore =>
  Object.assign(Object.create(store) as AgentStore, {
    listAgents: (namespace: string) =>
      Promise.resolve({
        ok: true,
        value: agents.filter(({ metadata }) => metadata.namespace === namespace),
      }),
    getAgent: ({ namespace, name }: { namespace: string; name: string }) =>
      Promise.resolve({
        ok: true,
        value: agents.find(
          ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
        ),
      }),
    modelConfigs: async (namespace: string) => {
      const answer = await store.modelConfigs(namespace);
      return answer.ok ? { ok: true, value: { ...answer.value, isOpen: false } } : answer;
    },
  } satisfies Partial<AgentStore>);

const FOLDERS: Readonly<Record<string, string>> = {
  HelmRelease: 'releases',
  OCIRepository: 'sources',
};

function writeObjects(directory: string): void {
  for (const object of objects) {
    const { kind = '', metadata } = object;
    if (kind === 'Agent') continue;
    const folder =
      kind === 'ModelConfig' ? 'modelconfigs' : join(FOLDERS[kind] ?? '', metadata.namespace);
    const file = join(directory, folder, `${metadata.name}.yaml`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, stringify(object));
  }
}

let plain: StartedService;
let skilled: StartedService;

beforeAll(async () => {
  const skills = createGitSkillSource({ repositories: skillsRepositories });
  if (!skills.ok) throw new Error(skills.error);
  plain = await startService({ namespaces, store: likeCluster });
  skilled = await startService({ namespaces, store: likeCluster, skills: skills.value });
  for (const { directory } of [plain, skilled]) writeObjects(directory);
});

afterAll(() => Promise.all([plain.stop(), skilled.stop()]));

const expected = ({ refusal, errors }: Case) =>
  refusal === undefined
    ? { status: 200, body: expect.objectContaining({ valid: false, errors }) as unknown }
    : {
        status: refusal.status,
        body: { error: { code: refusal.code, message: refusal.message } },
      };

describe.each(Object.entries(TRANSPORTS))('over %s', (transport, ask) => {
  it('every refusal has its status, its code and its text, and nothing is written', async () => {
    const before = [filesIn(plain.directory), filesIn(skilled.directory)];
    for (const one of cases) {
      if (one.through?.includes(transport as keyof typeof TRANSPORTS) === false) continue;
      const { url } = one.needs?.includes('skills') === true ? skilled : plain;
      const answer = await ask(url, one.operation, one.arguments);
      expect(answer, `${one.operation}: ${one.situation}`).toEqual(expected(one));
    }
    expect([filesIn(plain.directory), filesIn(skilled.directory)]).toEqual(before);
  });
});

it('the table has cases for every operation, and for each code that needs no failing cluster', () => {
  expect(new Set(cases.map(({ operation }) => operation)).size).toBe(10);
  expect([...new Set(cases.flatMap(({ refusal }) => refusal?.code ?? []))].toSorted()).toEqual([
    'conflict',
    'invalid_request',
    'not_found',
    'unsupported',
  ]);
});
