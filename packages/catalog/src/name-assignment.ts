import type { NameOwner } from './catalog-warning.ts';
import type { ServerNames } from './server-names.ts';

/** An exposed name and the owner that may serve it. */
export interface HeldName {
  readonly name: string;
  readonly owner: NameOwner;
}

/** The names that several owners claim, each with its holder. Plain data, for other processes. */
export interface ContestedNames {
  readonly tools: readonly HeldName[];
  readonly prompts: readonly HeldName[];
}

/** A name that a server does not serve because another owner holds it. */
export interface NameConflict {
  readonly kind: 'tool' | 'prompt';
  /** The exposed name. */
  readonly name: string;
  /** The holder as a sentence names it, for example `server "files"`. */
  readonly heldBy: string;
}

/** The conflicts of a server. */
export interface NameConflicts {
  readonly total: number;
  /** The first 20. */
  readonly first: readonly NameConflict[];
}

/** The holders of all exposed names. Immutable. */
export interface NameAssignment {
  readonly tools: ReadonlyMap<string, NameOwner>;
  readonly prompts: ReadonlyMap<string, NameOwner>;
  /** The names of every server that exists and was connected, by server. */
  readonly names: ReadonlyMap<string, ServerNames>;
  /** The same object while it is unchanged. */
  readonly contested: ContestedNames;
  /** By server. Servers without conflicts are absent. */
  readonly conflicts: ReadonlyMap<string, NameConflicts>;
}

/** The assignment before any server is known. */
export const NO_NAMES: NameAssignment = {
  tools: new Map(),
  prompts: new Map(),
  names: new Map(),
  contested: { tools: [], prompts: [] },
  conflicts: new Map(),
};
