import type { Risk } from '@gateway/client-config';
import { parseRegistry, type RegistryServer } from '../../src/server-registry/format.ts';
import { chooseWay, planInstall } from '../../src/server-registry/plan-install.ts';
import {
  formatInstallNote,
  formatInstallProblem,
} from '../../src/server-registry/install-problem.ts';

/** Returns a server with the given packages and remotes. */
export const serverWith = (fields: object): RegistryServer => {
  const server = { name: 'io.acme/demo', description: 'Demo', version: '1.2.3', ...fields };
  const parsed = parseRegistry(JSON.stringify(server));
  const found = parsed.ok ? parsed.document.servers[0] : undefined;
  if (found === undefined) throw new Error(parsed.ok ? 'no server' : parsed.problem);
  return found;
};

const PLAIN_PACKAGE = {
  registryType: 'npm',
  identifier: '@acme/demo',
  version: '1.2.3',
  transport: { type: 'stdio' },
};

/** A package that differs from a plain one in these fields. */
export const packageOf = (fields: object): object => ({
  packages: [{ ...PLAIN_PACKAGE, ...fields }],
});

type Answers = Readonly<Record<string, string | readonly string[]>>;

/** The `spec` of a server, its secrets and notes, or the sentences of its problems. */
export interface Installed {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly object[];
  readonly notes?: readonly string[];
  readonly problems?: readonly string[];
}

/** Plans the installation of a server under the name `demo`. */
export const install = (
  fields: object,
  answers: Answers = {},
  { kind, ...accepted }: { kind?: string; allow?: readonly Risk[]; start?: boolean } = {},
): Installed => {
  const server = serverWith(fields);
  const chosen = chooseWay(server, kind);
  if (!chosen.ok) return { problems: chosen.problems.map(formatInstallProblem) };
  const plan = planInstall({
    server,
    way: chosen.way,
    name: 'demo',
    ...accepted,
    answers: new Map(Object.entries(answers).map(([key, value]) => [key, [value].flat()])),
  });
  return plan.ok
    ? { spec: plan.spec, secrets: plan.secrets, notes: plan.notes.map(formatInstallNote) }
    : { problems: plan.problems.map(formatInstallProblem) };
};

/** Returns the arguments of the planned server, or the sentences of its problems. */
export const planArgs = (fields: object, answers?: Answers): unknown => {
  const { spec, problems } = install(fields, answers);
  return spec?.['args'] ?? problems;
};
