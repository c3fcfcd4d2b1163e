import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { KubernetesObject, Stored } from '@gateway/agent-releases';
import {
  fingerprintOf,
  readSettledText,
  readTextFile,
  readTextFileSync,
  type ReadTextResult,
} from '@gateway/durable-files';
import { fileNameOf } from './file-name.ts';
import { frozen } from './freeze.ts';
import { MAX_FILE_BYTES, MAX_KNOWN_TEXTS, SAME_LOOK_MS } from './limits.ts';
import type { Entry, Look } from './manifest-index.ts';
import type { ManifestKind } from './manifest-kind.ts';
import { revisionOf } from './manifest-text.ts';
import { readManifest } from './read-manifest.ts';

/** Which folder. */
export interface FolderPlace {
  /** The directory that all folders are in. */
  readonly root: string;
  readonly kind: ManifestKind;
  readonly namespace: string;
}

/** Whether others have their turn while a file is read: one of a few is read in a tenth of the time when they have not. */
export type Turns = 'mine' | 'others';

const OPTIONS = { maxBytes: MAX_FILE_BYTES, acceptReplaced: true };

const READING: Readonly<Record<Turns, (file: string) => ReadTextResult | Promise<ReadTextResult>>> =
  {
    mine: (file) => readTextFileSync(file, OPTIONS),
    others: (file) => readTextFile(file, { ...OPTIONS, refuseLinks: true }),
  };

const SETTLE = { attempts: 5, pauseMs: 2 };

type Unreadable = Exclude<ReadTextResult, { kind: 'text' | 'absent' }>;

const reasonOf = (read: Unreadable): string =>
  read.kind === 'unsettled' ? 'is being written by somebody else' : read.message;

/** Reads the files of a folder, one object each. */
export class ManifestReader {
  readonly #place: FolderPlace;
  /** What this process wrote, by name and revision, so that it is not parsed to be known. */
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

  /** A file, or something else in the folder, as people are told of it. */
  shown(fileName: string): string {
    const { kind, namespace } = this.#place;
    return `${kind.folder}/${namespace}/${fileName}`;
  }

  /** How the file looks from outside; undefined when there is none. Throws when it cannot be looked at. */
  look(name: string): Look | undefined {
    const stats = lstatSync(this.fileOf(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const isYoung = Date.now() - Number(stats.mtimeMs) < SAME_LOOK_MS;
    return { fingerprint: fingerprintOf(stats), isYoung };
  }

  /** The text of a file as it is now. Never rejects. */
  text(name: string, turns: Turns): Promise<ReadTextResult> {
    return readSettledText(() => READING[turns](this.fileOf(name)), SETTLE);
  }

  /** What is in a file; undefined when there is none. Nothing is parsed that was known before. Never rejects. */
  async read(name: string, before: Entry | undefined, turns: Turns): Promise<Entry | undefined> {
    const look = this.#lookBefore(name);
    const read = await this.text(name, turns);
    if (read.kind === 'absent') return undefined;
    if (read.kind === 'text') return { ...this.parse(name, read.text, before), look };
    return {
      // What is no text stays none until it looks otherwise; anything else is worth another try.
      look: read.kind === 'refused' ? look : undefined,
      revision: undefined,
      stored: undefined,
      isWithoutNamespace: false,
      isOther: false,
      problem: `${this.shown(fileNameOf(name))} ${reasonOf(read)}`,
    };
  }

  /** What a text says, unless that is known. */
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

  /** Takes note of what a text says that this process wrote. */
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
    if (this.#written.size > MAX_KNOWN_TEXTS && oldest !== undefined) this.#written.delete(oldest);
    return stored;
  }

  /** Taken before reading, so that what is written meanwhile looks otherwise. */
  #lookBefore(name: string): Look | undefined {
    try {
      return this.look(name);
    } catch {
      return undefined;
    }
  }
}
