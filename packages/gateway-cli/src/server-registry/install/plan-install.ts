import { SecretFiles, type Risk, type SecretFile } from '@gateway/client-config';
import type { RegistryServer } from '../format/parse-registry.ts';
import type { Answers } from '../inputs/resolve-input.ts';
import { questionsOf } from '../inputs/setting.ts';
import { installWays, isPackageWay, type InstallWay } from '../packages/install-ways.ts';
import type { InstallNote, InstallProblem } from '../problems/install-problem.ts';
import { composePackage, composeRemote } from './compose-spec.ts';

/** A server to install. */
export interface InstallRequest {
  readonly server: RegistryServer;
  readonly way: InstallWay;
  /** The name of the `MCPServer`. */
  readonly name: string;
  readonly answers: Answers;
  /** Risks that a person accepts. */
  readonly allow?: readonly Risk[] | undefined;
  /** True when the gateway starts it. An entry with an accepted risk never starts before a user has read it. */
  readonly start?: boolean | undefined;
}

/** An `MCPServer` and its secrets, or the reasons why there is none. */
export type InstallPlan =
  | {
      readonly ok: true;
      /** `spec` of the `MCPServer`; it contains no secret. */
      readonly spec: Readonly<Record<string, unknown>>;
      readonly secrets: readonly SecretFile[];
      readonly notes: readonly InstallNote[];
    }
  | { readonly ok: false; readonly problems: readonly InstallProblem[] };

/** A way to run a server, or the reasons why there is none. */
export type ChosenWay =
  | { readonly ok: true; readonly way: InstallWay }
  | { readonly ok: false; readonly problems: readonly InstallProblem[] };

const MAX_DESCRIPTION_CHARS = 500;

/** Returns the preferred way to run a server, or the first one of a kind. */
export const chooseWay = (server: RegistryServer, kind?: string): ChosenWay => {
  const { status, version } = server;
  if (status === 'deleted') return { ok: false, problems: [{ code: 'deleted', version }] };
  const { ways, refused } = installWays(server);
  const way = ways.find((found) => kind === undefined || found.kind === kind);
  if (way !== undefined) return { ok: true, way };
  const reasons = refused.filter((found) => kind === undefined || found.kind === kind);
  if (reasons.length > 0) return { ok: false, problems: reasons.map(({ problem }) => problem) };
  const kinds = [...new Set(ways.map((found) => found.kind))];
  return {
    ok: false,
    problems: [{ code: 'no-way', kinds, ...(kind !== undefined && { wanted: kind }) }],
  };
};

const unknownAnswers = (way: InstallWay, answers: Answers): readonly InstallProblem[] => {
  const known = questionsOf(way).map(({ key }) => key);
  return [...answers.keys()]
    .filter((key) => !known.includes(key))
    .map((key) => ({ code: 'unknown-input', key, known }));
};

const isSame = (one: InstallProblem, other: InstallProblem): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const withoutRepeated = (problems: readonly InstallProblem[]): readonly InstallProblem[] =>
  problems.filter((problem, at) => problems.findIndex((other) => isSame(other, problem)) === at);

/** Returns the `MCPServer` of a server of a registry. Pure; nothing is written, and no value of a person is in a problem or a note. */
export const planInstall = ({
  server,
  way,
  name,
  answers,
  allow = [],
  start = false,
}: InstallRequest): InstallPlan => {
  const files = new SecretFiles(name);
  const context = { server: name, answers, files };
  const composed = isPackageWay(way) ? composePackage(way, context) : composeRemote(way, context);
  const found = withoutRepeated([...unknownAnswers(way, answers), ...composed.problems]);
  const problems = found.filter(
    (problem) => problem.code !== 'risk' || !allow.includes(problem.risk),
  );
  if (problems.length > 0) return { ok: false, problems };
  const isRisky = found.some(({ code }) => code === 'risk');
  const { status, version, title, description } = server;
  const about = (description === '' ? (title ?? '') : description).slice(0, MAX_DESCRIPTION_CHARS);
  const { type, ...fields } = composed.fields;
  return {
    ok: true,
    spec: {
      type,
      ...(about !== '' && { description: about }),
      ...fields,
      autoStart: start && !isRisky,
    },
    secrets: files.all(),
    notes: [
      ...(status === 'deprecated' ? [{ code: 'deprecated', version } as const] : []),
      ...way.notes,
    ],
  };
};
