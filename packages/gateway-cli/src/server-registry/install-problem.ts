import { formatRisk, type ServerRisk } from '@gateway/client-config';

/** The kinds of packages and remotes that can be installed, by the name that users use. */
export const INSTALL_KINDS = ['npm', 'pypi', 'oci', 'streamable-http', 'sse'] as const;

export type InstallKind = (typeof INSTALL_KINDS)[number];

export type PackageKind = Exclude<InstallKind, 'streamable-http' | 'sse'>;

/** The programs that run packages. */
export const PROGRAMS: Readonly<Record<PackageKind, 'npx' | 'uvx' | 'docker'>> = {
  npm: 'npx',
  pypi: 'uvx',
  oci: 'docker',
};

export type InstallProblem =
  | { readonly code: 'deleted'; readonly version: string }
  | { readonly code: 'no-way'; readonly wanted?: string; readonly kinds: readonly string[] }
  | { readonly code: 'unsupported-package'; readonly type: string }
  | { readonly code: 'unsupported-transport'; readonly transport: string }
  | { readonly code: 'other-registry'; readonly url: string; readonly kind: InstallKind }
  | { readonly code: 'file-hash'; readonly program: string }
  | { readonly code: 'runtime-hint'; readonly hint: string; readonly program: string }
  | { readonly code: 'identifier'; readonly identifier: string; readonly kind: InstallKind }
  | { readonly code: 'floating-version'; readonly version?: string }
  | { readonly code: 'argument-name'; readonly name: string }
  | ServerRisk
  | { readonly code: 'credentials' }
  | { readonly code: 'wrong-name'; readonly noun: 'variable' | 'header'; readonly name: string }
  | {
      readonly code: 'missing-input';
      readonly label: string;
      readonly key: string;
      readonly isSecret: boolean;
    }
  | { readonly code: 'unknown-input'; readonly key: string; readonly known: readonly string[] }
  | { readonly code: 'not-a-choice'; readonly label: string; readonly choices: readonly string[] }
  | { readonly code: 'wrong-format'; readonly label: string; readonly format: string }
  | { readonly code: 'too-many-values'; readonly label: string }
  | { readonly code: 'option-value'; readonly label: string }
  | { readonly code: 'nul'; readonly label: string }
  | { readonly code: 'placeholder'; readonly label: string };

export type InstallNote =
  | { readonly code: 'deprecated'; readonly version: string }
  | { readonly code: 'version-of-server'; readonly version: string }
  | { readonly code: 'movable-tag'; readonly tag: string };

const NAMES: Readonly<Record<InstallKind, string>> = {
  npm: 'an npm package',
  pypi: 'a PyPI package',
  oci: 'a container image',
  'streamable-http': 'an address',
  sse: 'an address',
};

const listText = (words: readonly string[]): string => words.join(', ');

const formatNoWay = ({ wanted, kinds }: Extract<InstallProblem, { code: 'no-way' }>): string => {
  if (kinds.length === 0) return 'it has no package and no remote that can be installed';
  return `it has no ${wanted ?? 'such'} package or remote; it has ${listText(kinds)}`;
};

const TEXTS: {
  readonly [Code in InstallProblem['code']]: (
    problem: Extract<InstallProblem, { code: Code }>,
  ) => string;
} = {
  deleted: ({ version }) => `version ${version} is deleted from the registry`,
  'no-way': formatNoWay,
  'unsupported-package': ({ type }) =>
    `packages of the type ${type} are not supported; npm, pypi and oci are`,
  'unsupported-transport': ({ transport }) =>
    `its package serves ${transport} itself: start it yourself, and add a server with its address`,
  'other-registry': ({ url, kind }) =>
    `it is ${NAMES[kind]} of ${url}; only the public registry is supported, so that nothing else is installed under its name`,
  'file-hash': ({ program }) =>
    `it has fileSha256, and ${program} cannot verify the hash of the file that it downloads`,
  'runtime-hint': ({ hint, program }) =>
    `its runtimeArguments are for ${hint}, and the gateway would start ${program}`,
  identifier: ({ identifier, kind }) => `"${identifier}" is not the name of ${NAMES[kind]}`,
  'floating-version': ({ version }) =>
    version === undefined
      ? 'it names no version, so that it would change without notice'
      : `"${version}" is not an exact version, so that it would change without notice`,
  'argument-name': ({ name }) => `"${name}" is not the name of an option`,
  risk: formatRisk,
  credentials: () =>
    'its address contains a user or a password: no registry may choose the credentials that the gateway sends',
  'wrong-name': ({ noun, name }) => `${JSON.stringify(name)} is not the name of a ${noun}`,
  'missing-input': ({ label, key, isSecret }) =>
    `${label} is required: use ${isSecret ? `--set-file ${key}=PATH` : `--set ${key}=VALUE`}`,
  'unknown-input': ({ key, known }) =>
    known.length === 0
      ? `it has no setting "${key}", and no other`
      : `it has no setting "${key}"; it has ${listText(known)}`,
  'not-a-choice': ({ label, choices }) => `${label} must be one of ${listText(choices)}`,
  'wrong-format': ({ label, format }) => `${label} must be a ${format}`,
  'too-many-values': ({ label }) =>
    `${label} has more than one value, or numbers of values that differ`,
  'option-value': ({ label }) =>
    `the value of ${label} begins with "-", so that the program would read it as an option`,
  nul: ({ label }) => `the value of ${label} contains a NUL character`,
  placeholder: ({ label }) =>
    `the registry's text for ${label} contains "\${", which the gateway would replace by values of this machine`,
};

/** Returns a problem as a sentence. It contains no value that a user gave. */
export const formatInstallProblem = <Code extends InstallProblem['code']>(
  problem: Extract<InstallProblem, { code: Code }> & { readonly code: Code },
): string => (TEXTS[problem.code] as (problem: InstallProblem) => string)(problem);

export const formatInstallNote = (note: InstallNote): string => {
  switch (note.code) {
    case 'deprecated':
      return `version ${note.version} is deprecated`;
    case 'version-of-server':
      return `the package names no version; version ${note.version} of the server is used`;
    case 'movable-tag':
      return `the tag "${note.tag}" of an image can be moved; only a digest fixes its contents`;
  }
};
