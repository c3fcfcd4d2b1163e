import type { RegistryPackage, RegistryRemote, RegistryServer } from './format.ts';
import {
  type InstallKind,
  type InstallNote,
  type InstallProblem,
  type PackageKind,
  PROGRAMS,
} from './install-problem.ts';

/** https://github.com/opencontainers/distribution-spec, names, tags and digests. */
const IMAGE =
  /^((?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(sha256:[a-f0-9]{64}))?$/u;

const DIGEST = /^sha256:[a-f0-9]{64}$/u;

/** A tag of one version or of one revision. `latest`, `main` and `stable` are none. */
const VERSION_TAG = /^(?:v?\d[\w.-]*|sha-[a-f0-9]{7,64}|[\w.-]*\d+\.\d+\.\d+[\w.-]*)$/u;

type PinnedImage =
  | { readonly ok: true; readonly reference: string; readonly notes: readonly InstallNote[] }
  | { readonly ok: false; readonly problem: InstallProblem };

const hasHost = (name: string): boolean => {
  const first = name.split('/')[0] ?? '';
  return name.includes('/') && (/[.:]/u.test(first) || first === 'localhost');
};

/** Older files name the host of the image apart from the image. */
const withHost = (name: string, url: string | undefined): string => {
  if (url === undefined || hasHost(name) || !URL.canParse(url)) return name;
  const { host } = new URL(url);
  return host === 'docker.io' ? name : `${host}/${name}`;
};

const pinTag = (name: string, tag: string, notes: readonly InstallNote[]): PinnedImage => {
  if (DIGEST.test(tag)) return { ok: true, reference: `${name}@${tag}`, notes };
  if (!VERSION_TAG.test(tag))
    return { ok: false, problem: { code: 'floating-version', version: tag } };
  return {
    ok: true,
    reference: `${name}:${tag}`,
    notes: [...notes, { code: 'movable-tag', tag }],
  };
};

/** Returns an image with its digest, or with the tag of a version. */
const pinImage = (entry: RegistryPackage, serverVersion: string): PinnedImage => {
  const { identifier, registryBaseUrl, version } = entry;
  const [, found, tag, digest] = IMAGE.exec(identifier) ?? [];
  if (found === undefined)
    return { ok: false, problem: { code: 'identifier', identifier, kind: 'oci' } };
  const name = withHost(found, registryBaseUrl);
  if (digest !== undefined) return { ok: true, reference: `${name}@${digest}`, notes: [] };
  if (tag !== undefined && tag !== 'latest') return pinTag(name, tag, []);
  const named = version ?? tag;
  if (named !== undefined) return pinTag(name, named, []);
  return pinTag(name, serverVersion, [{ code: 'version-of-server', version: serverVersion }]);
};

/** A package with one exact version, as its program names it. */
type PinnedPackage =
  | { readonly ok: true; readonly reference: string; readonly notes: readonly InstallNote[] }
  | { readonly ok: false; readonly problem: InstallProblem };

interface PackageOfServer {
  readonly kind: PackageKind;
  readonly entry: RegistryPackage;
  readonly serverVersion: string;
}

interface NameRules {
  readonly name: RegExp;
  readonly version: RegExp;
  /** Versions of that form that the program reads as something else. */
  readonly notVersion?: RegExp;
  readonly separator: string;
  readonly hosts: readonly string[];
}

const RULES: Readonly<Record<'npm' | 'pypi', NameRules>> = {
  npm: {
    name: /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[A-Za-z0-9~][A-Za-z0-9._~-]*$/u,
    // https://semver.org
    version: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/u,
    // npm reads a package specification with such an end as a file.
    notVersion: /\.(?:tgz|tar|tar\.gz)$/iu,
    separator: '@',
    hosts: ['registry.npmjs.org'],
  },
  pypi: {
    name: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/u,
    // PEP 440
    version:
      /^v?(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?(?:[._-]?(?:post|rev|r)[._-]?\d*)?(?:[._-]?dev[._-]?\d*)?(?:\+[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*)?$/iu,
    separator: '==',
    hosts: ['pypi.org', 'pypi.python.org'],
  },
};

const isKnownHost = (url: string, hosts: readonly string[]): boolean =>
  URL.canParse(url) && hosts.includes(new URL(url).hostname);

const createRefusal = (problem: InstallProblem): PinnedPackage => ({ ok: false, problem });

const withServerVersion = (
  { version }: RegistryPackage,
  serverVersion: string,
): { readonly version: string; readonly notes: readonly InstallNote[] } =>
  version === undefined
    ? { version: serverVersion, notes: [{ code: 'version-of-server', version: serverVersion }] }
    : { version, notes: [] };

const pinVersion = ({ kind, entry, serverVersion }: PackageOfServer, rules: NameRules) => {
  const { identifier, registryBaseUrl: url } = entry;
  if (!rules.name.test(identifier)) return createRefusal({ code: 'identifier', identifier, kind });
  if (url !== undefined && !isKnownHost(url, rules.hosts))
    return createRefusal({ code: 'other-registry', url, kind });
  const { version, notes } = withServerVersion(entry, serverVersion);
  if (!rules.version.test(version) || rules.notVersion?.test(version) === true)
    return createRefusal({ code: 'floating-version', version });
  return { ok: true, reference: `${identifier}${rules.separator}${version}`, notes } as const;
};

/** Returns the name of a package with its exact version. A version that could change is refused. */
const pinPackage = (of: PackageOfServer): PinnedPackage =>
  of.kind === 'oci' ? pinImage(of.entry, of.serverVersion) : pinVersion(of, RULES[of.kind]);

export interface PackageWay {
  readonly kind: PackageKind;
  readonly entry: RegistryPackage;
  /** The package with its version, as its program names it. */
  readonly reference: string;
  readonly notes: readonly InstallNote[];
}

export interface RemoteWay {
  readonly kind: Exclude<InstallKind, PackageKind>;
  readonly entry: RegistryRemote;
  /** The address, with its `{variables}`. */
  readonly reference: string;
  readonly notes: readonly InstallNote[];
}

export type InstallWay = PackageWay | RemoteWay;

interface RefusedWay {
  readonly kind: string;
  readonly problem: InstallProblem;
}

/** The ways to run a server, the preferred one first. */
interface InstallWays {
  readonly ways: readonly InstallWay[];
  readonly refused: readonly RefusedWay[];
}

/** Returns whether a way starts a program on this machine. */
export const isPackageWay = (way: InstallWay): way is PackageWay =>
  way.kind !== 'streamable-http' && way.kind !== 'sse';

const isPackageKind = (type: string): type is PackageKind => Object.hasOwn(PROGRAMS, type);

const validateRuntime = (
  { transport, fileSha256, runtimeHint, runtimeArguments }: RegistryPackage,
  kind: PackageKind,
): InstallProblem | undefined => {
  const program = PROGRAMS[kind];
  if (transport.type !== 'stdio')
    return { code: 'unsupported-transport', transport: transport.type };
  if (fileSha256 !== undefined) return { code: 'file-hash', program };
  const isOther = runtimeHint !== undefined && runtimeHint !== '' && runtimeHint !== program;
  return isOther && runtimeArguments.length > 0
    ? { code: 'runtime-hint', hint: runtimeHint, program }
    : undefined;
};

const toPackageWay = (entry: RegistryPackage, serverVersion: string): PackageWay | RefusedWay => {
  const { registryType: kind } = entry;
  if (!isPackageKind(kind)) return { kind, problem: { code: 'unsupported-package', type: kind } };
  const problem = validateRuntime(entry, kind);
  if (problem !== undefined) return { kind, problem };
  const pinned = pinPackage({ kind, entry, serverVersion });
  if (!pinned.ok) return { kind, problem: pinned.problem };
  return { kind, entry, reference: pinned.reference, notes: pinned.notes };
};

const toRemoteWay = (entry: RegistryRemote): RemoteWay => ({
  kind: entry.type,
  entry,
  reference: entry.url,
  notes: [],
});

const isRefused = (way: InstallWay | RefusedWay): way is RefusedWay => 'problem' in way;

/** Returns how a server can run: its packages in the order of its file, then its remotes, those over Streamable HTTP first. */
export const listInstallWays = ({ packages, remotes, version }: RegistryServer): InstallWays => {
  const found = packages.map((entry) => toPackageWay(entry, version));
  const addresses = remotes.map(toRemoteWay);
  return {
    ways: [
      ...found.filter((way): way is PackageWay => !isRefused(way)),
      ...addresses.filter(({ kind }) => kind === 'streamable-http'),
      ...addresses.filter(({ kind }) => kind === 'sse'),
    ],
    refused: found.filter(isRefused),
  };
};
