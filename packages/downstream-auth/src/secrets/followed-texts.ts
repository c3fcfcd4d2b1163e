/** The text of a file, or the reason that there is none. */
export type FollowedText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'pending' | 'absent' | 'unreadable';
      readonly reason: string;
    };

/** How the files of references are found and read. */
export interface FollowedSource<Reference> {
  /** The path, for messages and as the identity of a reference. */
  readonly pathOf: (reference: Reference) => string;
  readonly read: (reference: Reference) => Promise<FollowedText>;
}

/** Files are read this often, because not every file system reports changes. */
const INTERVAL_MS = 1_000;
const MAX_FILES = 1_024;

const isSame = (a: FollowedText | undefined, b: FollowedText): boolean =>
  a !== undefined && (a.ok ? b.ok && a.text === b.text : !b.ok && a.reason === b.reason);

/** Files that are read again every second. */
export class FollowedTexts<Reference> {
  readonly #source: FollowedSource<Reference>;
  readonly #listeners = new Set<() => void>();
  #followed = new Map<string, { readonly reference: Reference; text?: FollowedText }>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(source: FollowedSource<Reference>) {
    this.#source = source;
  }

  /** Follows these references only. Resolves when each was read once. */
  readonly follow = async (references: readonly Reference[]): Promise<void> => {
    if (this.#isClosed) return;
    const before = this.#followed;
    const wanted = new Map(
      references.map((reference) => [this.#source.pathOf(reference), reference] as const),
    );
    this.#followed = new Map(
      [...wanted]
        .slice(0, MAX_FILES)
        .map(([path, reference]) => [path, before.get(path) ?? { reference }]),
    );
    clearTimeout(this.#timer);
    await this.#readAll();
  };

  /** Returns the text of a reference that is followed. */
  readonly read = (reference: Reference): FollowedText => {
    const path = this.#source.pathOf(reference);
    const followed = this.#followed.get(path);
    if (this.#isClosed)
      return { ok: false, code: 'pending', reason: `the file ${path} is not read any more` };
    if (followed === undefined)
      return {
        ok: false,
        code: 'unreadable',
        reason: `the file ${path} is not read, because servers name more than ${String(MAX_FILES)} files`,
      };
    return (
      followed.text ?? {
        ok: false,
        code: 'pending',
        reason: `the file ${path} was not read yet`,
      }
    );
  };

  /** Calls the listener after each change. Returns a function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  /** Ends all reading; afterwards every text is pending. */
  readonly close = (): void => {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#followed = new Map();
  };

  async #readAll(): Promise<void> {
    const followed = this.#followed;
    let isChanged = false;
    for (const entry of followed.values()) {
      const text = await this.#source.read(entry.reference);
      if (!isSame(entry.text, text)) isChanged = true;
      entry.text = text;
    }
    if (this.#followed !== followed || followed.size === 0) return;
    if (isChanged) for (const listener of [...this.#listeners]) listener();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readAll(), INTERVAL_MS).unref();
  }
}
