import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { KubernetesObject, Stored } from '../store/objects.ts';
import {
  fingerprintOf,
  readSettledText,
  readTextFile,
  readTextFileSync,
  type ReadTextResult,
} from '@gateway/files';
import { fileNameOf } from './file-name.ts';
import { frozen } from './freeze.ts';
import { MAX_FILE_BYTES, MAX_CACHED_WRITES, AMBIGUOUS_AGE_MS } from './limits.ts';
import type { Entry, Look } from './manifest-index.ts';
import type { ManifestKind } from './manifest-kind.ts';
import { revisionOf } from './manifest-text.ts';
import { readManifest } from './read-manifest.ts';

/** The location of a folder. */
export interface FolderPlace {
  /** The root of all folders. */
  readonly root: string;
  readonly kind: ManifestKind;
  readonly namespace: string;
}

/** The mode of a read. A blocking read of one file takes a tenth of the time and blocks the event loop. */
export type ReadMode = 'blocking' | 'yielding';

const OPTIONS = { maxBytes: MAX_FILE_BYTES, acceptReplaced: true };

const READING: Readonly<
  Record<ReadMode, (file: string) => ReadTextResult | Promise<ReadTextResult>>
> = {
  blocking: (file) => readTextFileSync(file, OPTIONS),
  yielding: (file) => readTextFile(file, { ...OPTIONS, refuseLinks: true }),
};

const SETTLE = { attempts: 5, pauseMs: 2 };

type Unreadable = Exclude<ReadTextResult, { kind: 'text' | 'absent' }>;

const reasonOf = (read: Unreadable): string =>
  read.kind === 'unsettled' ? 'is being written by another process' : read.message;

/** Reads the files of a folder, which have one object each. */
export class ManifestReader {
  readonly #place: FolderPlace;
  /** The writes of this process by name and revision, which need not be parsed. */
  readonly #written = new Map<string, Entry>();

  constructor(place: FolderPlace) {
    this.#place = place;
  }

  get directory(): string {
    const { root, kind, namespace } = this.#place;
    return path.join(root, kind.folder, namespace);
  }

  fileOf(name: string): string {
    return path.join(this.directory, fileNameOf(name));
  }

  /** Returns the path of a file in messages. */
  shown(fileName: string): string {
    const { kind, namespace } = this.#place;
    return `${kind.folder}/${namespace}/${fileName}`;
  }

  /** Returns the fingerprint of a file; undefined when it is missing. Throws when its stats cannot be read. */
  look(name: string): Look | undefined {
    const stats = lstatSync(this.fileOf(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const isYoung = Date.now() - Number(stats.mtimeMs) < AMBIGUOUS_AGE_MS;
    return { fingerprint: fingerprintOf(stats), isYoung };
  }

  /** Reads the current text of a file. Never rejects. */
  text(name: string, mode: ReadMode): Promise<ReadTextResult> {
    return readSettledText(() => READING[mode](this.fileOf(name)), SETTLE);
  }

  /** Reads a file; returns undefined when it is missing. A known revision is not parsed again. Never rejects. */
  async read(name: string, before: Entry | undefined, mode: ReadMode): Promise<Entry | undefined> {
    const look = this.#fingerprintBefore(name);
    const read = await this.text(name, mode);
    if (read.kind === 'absent') return undefined;
    if (read.kind === 'text') return { ...this.parse(name, read.text, before), look };
    return {
      // Invalid text stays invalid until its fingerprint changes; another failure may pass.
      look: read.kind === 'refused' ? look : undefined,
      revision: undefined,
      stored: undefined,
      isWithoutNamespace: false,
      isOther: false,
      problem: `${this.shown(fileNameOf(name))} ${reasonOf(read)}`,
    };
  }

  /** Parses a text unless its revision is known. */
  parse(name: string, text: string, before?: Entry): Entry {
    const revision = revisionOf(text);
    if (before?.revision === revision) return before;
    const written = this.#written.get(`${name} ${revision}`);
    if (written !== undefined) return written;
    const { kind, namespace } = this.#place;
    const read = readManifest(text, { kind, name, namespace });
    return {
      look: undefined,
      revision,
      stored: read.ok ? frozen({ object: read.object, revision }) : undefined,
      isWithoutNamespace: read.ok && read.isWithoutNamespace,
      isOther: !read.ok && read.isOther,
      problem: read.ok ? undefined : `${this.shown(fileNameOf(name))}${read.problem}`,
    };
  }

  /** Records the object of a text that this process wrote. */
  wrote(
    text: string,
    object: KubernetesObject,
    isWithoutNamespace: boolean,
  ): Stored<KubernetesObject> {
    const revision = revisionOf(text);
    const stored = frozen({ object, revision });
    const key = `${object.metadata.name} ${revision}`;
    this.#written.delete(key);
    this.#written.set(key, {
      look: undefined,
      revision,
      stored,
      isWithoutNamespace,
      isOther: false,
      problem: undefined,
    });
    const [oldest] = this.#written.keys();
    if (this.#written.size > MAX_CACHED_WRITES && oldest !== undefined)
      this.#written.delete(oldest);
    return stored;
  }

  /** Read before the content, so that a concurrent write has another fingerprint. */
  #fingerprintBefore(name: string): Look | undefined {
    try {
      return this.look(name);
    } catch {
      return undefined;
    }
  }
}
