import type { RegistryPackage } from '../format/server-schema.ts';
import type { PackageKind } from '../problems/install-kind.ts';
import type { InstallNote, InstallProblem } from '../problems/install-problem.ts';
import { pinImage } from './pin-image.ts';

/** A package with one exact version, as its program names it. */
export type PinnedPackage =
  | { readonly ok: true; readonly reference: string; readonly notes: readonly InstallNote[] }
  | { readonly ok: false; readonly problem: InstallProblem };

/** A package, and the version of its server. */
export interface PackageOfServer {
  readonly kind: PackageKind;
  readonly entry: RegistryPackage;
  readonly serverVersion: string;
}

/** The rules of a package registry for names and versions. */
interface NameRules {
  readonly name: RegExp;
  readonly version: RegExp;
  /** Versions of that form that the program reads as something else. */
  readonly notVersion?: RegExp;
  /** Between the name and the version. */
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

const isHostOf = (url: string, hosts: readonly string[]): boolean =>
  URL.canParse(url) && hosts.includes(new URL(url).hostname);

const refused = (problem: InstallProblem): PinnedPackage => ({ ok: false, problem });

const withServerVersion = (
  { version }: RegistryPackage,
  serverVersion: string,
): { readonly version: string; readonly notes: readonly InstallNote[] } =>
  version === undefined
    ? { version: serverVersion, notes: [{ code: 'version-of-server', version: serverVersion }] }
    : { version, notes: [] };

const pinNamed = ({ kind, entry, serverVersion }: PackageOfServer, rules: NameRules) => {
  const { identifier, registryBaseUrl: url } = entry;
  if (!rules.name.test(identifier)) return refused({ code: 'identifier', identifier, kind });
  if (url !== undefined && !isHostOf(url, rules.hosts))
    return refused({ code: 'other-registry', url, kind });
  const { version, notes } = withServerVersion(entry, serverVersion);
  if (!rules.version.test(version) || rules.notVersion?.test(version) === true)
    return refused({ code: 'floating-version', version });
  return { ok: true, reference: `${identifier}${rules.separator}${version}`, notes } as const;
};

/** Returns the name of a package with its exact version. A version that could change is refused. */
export const pinPackage = (of: PackageOfServer): PinnedPackage =>
  of.kind === 'oci' ? pinImage(of.entry, of.serverVersion) : pinNamed(of, RULES[of.kind]);
