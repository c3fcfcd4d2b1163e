import type { RegistryServer } from '../format/parse-registry.ts';
import type { RegistryPackage, RegistryRemote } from '../format/server-schema.ts';
import type { InstallKind, PackageKind } from '../problems/install-kind.ts';
import { PROGRAMS } from '../problems/install-kind.ts';
import type { InstallNote, InstallProblem } from '../problems/install-problem.ts';
import { pinPackage } from './pin-package.ts';

/** A package that can run, with its exact version. */
export interface PackageWay {
  readonly kind: PackageKind;
  readonly entry: RegistryPackage;
  /** The package with its version, as its program names it. */
  readonly reference: string;
  readonly notes: readonly InstallNote[];
}

/** An address at which a server runs. */
export interface RemoteWay {
  readonly kind: Exclude<InstallKind, PackageKind>;
  readonly entry: RegistryRemote;
  /** The address, with its `{variables}`. */
  readonly reference: string;
  readonly notes: readonly InstallNote[];
}

/** A way to run a server. */
export type InstallWay = PackageWay | RemoteWay;

/** A package that cannot be installed. */
export interface RefusedWay {
  readonly kind: string;
  readonly problem: InstallProblem;
}

/** The ways to run a server, the preferred one first. */
export interface InstallWays {
  readonly ways: readonly InstallWay[];
  readonly refused: readonly RefusedWay[];
}

/** Returns whether a way starts a program on this machine. */
export const isPackageWay = (way: InstallWay): way is PackageWay =>
  way.kind !== 'streamable-http' && way.kind !== 'sse';

const isPackageKind = (type: string): type is PackageKind => Object.hasOwn(PROGRAMS, type);

const problemOfRuntime = (
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

const wayOfPackage = (entry: RegistryPackage, serverVersion: string): PackageWay | RefusedWay => {
  const { registryType: kind } = entry;
  if (!isPackageKind(kind)) return { kind, problem: { code: 'unsupported-package', type: kind } };
  const problem = problemOfRuntime(entry, kind);
  if (problem !== undefined) return { kind, problem };
  const pinned = pinPackage({ kind, entry, serverVersion });
  if (!pinned.ok) return { kind, problem: pinned.problem };
  return { kind, entry, reference: pinned.reference, notes: pinned.notes };
};

const wayOfRemote = (entry: RegistryRemote): RemoteWay => ({
  kind: entry.type,
  entry,
  reference: entry.url,
  notes: [],
});

const isRefused = (way: InstallWay | RefusedWay): way is RefusedWay => 'problem' in way;

/** Returns how a server can run: its packages in the order of its file, then its remotes, those over Streamable HTTP first. */
export const installWays = ({ packages, remotes, version }: RegistryServer): InstallWays => {
  const found = packages.map((entry) => wayOfPackage(entry, version));
  const addresses = remotes.map(wayOfRemote);
  return {
    ways: [
      ...found.filter((way): way is PackageWay => !isRefused(way)),
      ...addresses.filter(({ kind }) => kind === 'streamable-http'),
      ...addresses.filter(({ kind }) => kind === 'sse'),
    ],
    refused: found.filter(isRefused),
  };
};
