/** The kinds of packages and remotes that can be installed, by the name that people use. */
export const INSTALL_KINDS = ['npm', 'pypi', 'oci', 'streamable-http', 'sse'] as const;

/** A kind of package or remote that can be installed. */
export type InstallKind = (typeof INSTALL_KINDS)[number];

/** A kind of package that can be installed. */
export type PackageKind = Exclude<InstallKind, 'streamable-http' | 'sse'>;

/** The programs that run packages. */
export const PROGRAMS: Readonly<Record<PackageKind, 'npx' | 'uvx' | 'docker'>> = {
  npm: 'npx',
  pypi: 'uvx',
  oci: 'docker',
};
