/** The maximum number of files in a folder, and of releases in a namespace. */
export const MAX_FILES = 20_000;
/** The maximum size of a file, in bytes. */
export const MAX_FILE_BYTES = 4_194_304;
/** The maximum number of files with models. */
export const MAX_MODEL_FILES = 1_000;
/** The maximum number of misnamed files reported for a folder. */
export const MAX_REPORTED_FILES = 100;
/** The number of concurrent reads. */
export const FILES_AT_ONCE = 16;
/** The number of files read without yielding to the event loop: as many as are usually written between two lists. */
export const FEW_FILES = 32;
/** The number of files compared before yielding to the event loop. */
export const FILES_PER_ITERATION = 100;
/** The number of own writes whose parsed content is cached. */
export const MAX_CACHED_WRITES = 1_000;

/** The delay before a reported change is read without a request, in milliseconds. */
export const READ_DELAY_MS = 50;
/** The polling interval for watchers, for changes that the system does not report, in milliseconds. */
export const POLL_MS = 1_000;
/** The age below which two versions of a file may have the same fingerprint, in milliseconds. */
export const AMBIGUOUS_AGE_MS = 2_000;
/** The interval after which a list compares all files, for unreported changes, in milliseconds. */
export const COMPARE_MS = 10_000;
/** The number of reports in one event loop iteration after which some may be lost. Linux queues 16,384 for all folders. */
export const FULL_QUEUE = 4_096;

/** Longer than any write of one file takes, in milliseconds. */
export const LONGEST_WRITE_MS = 10_000;
/** The maximum time a write waits for other writers of the same file, in milliseconds. */
export const WAIT_FOR_OTHERS_MS = 20_000;
/** The interval of removing the temporary files of ended processes from a folder, in milliseconds. */
export const SWEEP_MS = 60_000;

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const IS_LABEL = new RegExp(`^${LABEL}$`);
const IS_MANIFEST = new RegExp(`^(${LABEL})\\.yaml$`);
const IS_YAML = /^[^.].*\.ya?ml$/is;

/** Returns whether a name is a DNS-1123 label, which cannot lead to another directory. */
export const isLabel = (name: string): boolean => IS_LABEL.test(name);

/** Returns the file name of an object. */
export const toManifestFileName = (name: string): string => `${name}.yaml`;

/** Returns the name of the object in a file; undefined for other files. */
export const parseManifestFileName = (fileName: string): string | undefined =>
  IS_MANIFEST.exec(fileName)?.[1];

/** Returns whether a file is YAML by its name. Hidden files belong to editors and mounts. */
export const isYamlFile = (fileName: string): boolean => IS_YAML.test(fileName);

/** A kind of object and the folder of its files. */
export interface ManifestKind {
  readonly kind: 'HelmRelease' | 'OCIRepository';
  readonly group: string;
  readonly folder: string;
}

/** The kinds of objects with files. */
export const MANIFEST_KINDS = {
  HelmRelease: {
    kind: 'HelmRelease',
    group: 'helm.toolkit.fluxcd.io',
    folder: 'releases',
  },
  OCIRepository: {
    kind: 'OCIRepository',
    group: 'source.toolkit.fluxcd.io',
    folder: 'sources',
  },
} as const satisfies Readonly<Record<string, ManifestKind>>;
