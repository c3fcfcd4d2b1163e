import {
  addressRisks,
  hasCredentials,
  serverRisks,
  type SecretFiles,
} from '@gateway/client-config';
import type { PackageWay, RemoteWay } from '../packages/install-ways.ts';
import { resolveSetting } from '../inputs/resolve-setting.ts';
import type { ResolvedValue } from '../inputs/resolved-value.ts';
import { addressSetting } from '../inputs/setting.ts';
import { PROGRAMS } from '../problems/install-kind.ts';
import type { InstallProblem } from '../problems/install-problem.ts';
import { checkRuntime } from './check-runtime.ts';
import { renderNamedValues, valueFields, type RenderingContext } from './named-values.ts';
import { renderArguments } from './render-arguments.ts';

/** Fields of the `spec` of an `MCPServer`. */
export interface ComposedSpec {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly problems: readonly InstallProblem[];
}

/** A container starts after its image is there, which can be large. In seconds. */
const IMAGE_START_SECONDS = 600;

const wordText = (value: ResolvedValue, files: SecretFiles): string =>
  value
    .map(({ text, isSecret, answer = 'value' }) =>
      isSecret ? files.placeholder(answer, text) : text,
    )
    .join('');

/** Returns how a program starts a package: `npx -y NAME@VERSION`, `uvx NAME==VERSION`, `docker run -i --rm IMAGE`. */
export const composePackage = (way: PackageWay, context: RenderingContext): ComposedSpec => {
  const { kind, entry, reference } = way;
  const variables = renderNamedValues('variable', entry.environmentVariables, context);
  const runtime = renderArguments(entry.runtimeArguments, context.answers);
  const words = { kind, reference, identifier: entry.identifier, words: runtime.words };
  const checked = checkRuntime(words);
  const own = renderArguments(entry.packageArguments, context.answers);
  const texts = (list: readonly ResolvedValue[]) =>
    list.map((value) => wordText(value, context.files));
  // The values stay in the environment of docker, and its arguments name them only.
  const names = [
    ...variables.plain.map(([name]) => name),
    ...variables.references.map(({ name }) => name),
  ];
  const first = {
    npm: ['-y'],
    pypi: [],
    oci: ['run', '-i', '--rm', ...names.flatMap((name) => ['-e', name])],
  }[kind];
  const args = [...first, ...texts(checked.words), reference, ...texts(own.words)];
  return {
    fields: {
      type: 'stdio',
      command: PROGRAMS[kind],
      args,
      ...valueFields('env', variables),
      ...(kind === 'oci' && { startTimeout: IMAGE_START_SECONDS }),
    },
    problems: [
      ...variables.problems,
      ...runtime.problems,
      ...checked.problems,
      ...own.problems,
      // renderNamedValues validates the variables, whose values a user may have given.
      ...serverRisks({ command: PROGRAMS[kind], args }).filter(
        ({ risk, part }) => risk !== 'environment' || !names.includes(part),
      ),
    ],
  };
};

const addressProblems = (url: string): readonly InstallProblem[] => [
  ...(hasCredentials(url) ? [{ code: 'credentials' } as const] : []),
  ...addressRisks(url, false),
];

/** Returns how the gateway reaches a server at its address. */
export const composeRemote = (
  { kind, entry }: RemoteWay,
  context: RenderingContext,
): ComposedSpec => {
  const address = resolveSetting(addressSetting(entry.url, entry.variables), context.answers);
  const headers = renderNamedValues('header', entry.headers, context);
  const url = wordText(address.values[0] ?? [], context.files);
  return {
    fields: { type: kind, url, ...valueFields('headers', headers) },
    problems: [...address.problems, ...headers.problems, ...addressProblems(url)],
  };
};
