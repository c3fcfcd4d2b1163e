import type { CatalogTool } from './catalog-tool.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { countBits } from './words.ts';

/**
 * A set of tools of one snapshot, stored as one bit per catalog position, so that unions, differences and
 * lists in catalog order need no hashing and no sorting.
 */
export interface ToolSelection {
  readonly snapshot: CatalogSnapshot;
  /** Number of selected tools. */
  readonly size: number;
  has(tool: CatalogTool): boolean;
  /** The selected tools in catalog order; computed once. */
  readonly tools: readonly CatalogTool[];
  /**
   * The servers that provide at least one selected tool; computed once, so that a look-up takes the same time for every name. A family
   * of the same name is a different thing.
   *
   * @spec §4.2
   */
  readonly servers: ReadonlySet<string>;
}

const WORD_BITS = 32;

/** The location of the bit of a position: word index and mask. */
const computeWordIndex = (position: number): number => position >>> 5;
const toBitMask = (position: number): number => 1 << (position & 31);

const createWords = (snapshot: CatalogSnapshot): Uint32Array =>
  new Uint32Array(Math.ceil(snapshot.tools.length / WORD_BITS));

// Plain loops: these run over the whole catalog for each preset and selector of a request that is not remembered.
function countOfBits(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index += 1) count += countBits(bits[index] ?? 0);
  return count;
}

class BitSelection implements ToolSelection {
  readonly snapshot: CatalogSnapshot;
  readonly bits: Uint32Array;
  readonly size: number;
  #tools: readonly CatalogTool[] | undefined;
  #servers: ReadonlySet<string> | undefined;

  constructor(snapshot: CatalogSnapshot, bits: Uint32Array) {
    this.snapshot = snapshot;
    this.bits = bits;
    this.size = countOfBits(bits);
  }

  has(tool: CatalogTool): boolean {
    const word = this.bits[computeWordIndex(tool.position)] ?? 0;
    return (word & toBitMask(tool.position)) !== 0 && this.snapshot.tools[tool.position] === tool;
  }

  get tools(): readonly CatalogTool[] {
    this.#tools ??= decodeBits(this.snapshot, this.bits);
    return this.#tools;
  }

  get servers(): ReadonlySet<string> {
    this.#servers ??= listServers(this.tools);
    return this.#servers;
  }
}

function listServers(tools: readonly CatalogTool[]): ReadonlySet<string> {
  const servers = new Set<string>();
  for (const { providers } of tools) for (const { server } of providers) servers.add(server);
  return servers;
}

function decodeBits(snapshot: CatalogSnapshot, bits: Uint32Array): readonly CatalogTool[] {
  const tools: CatalogTool[] = [];
  for (let index = 0; index < bits.length; index += 1) {
    for (let rest = bits[index] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      const tool = snapshot.tools[index * WORD_BITS + bit];
      if (tool !== undefined) tools.push(tool);
    }
  }
  return tools;
}

/** The words of any selection: a selection made elsewhere is asked for its tools. */
function toBits(selection: ToolSelection): Uint32Array {
  return selection instanceof BitSelection
    ? selection.bits
    : encodeTools(selection.snapshot, selection.tools);
}

function mark(bits: Uint32Array, snapshot: CatalogSnapshot, tool: CatalogTool): void {
  if (snapshot.tools[tool.position] !== tool) {
    throw new TypeError(`tool "${tool.name}" is not of this snapshot`);
  }
  const word = computeWordIndex(tool.position);
  bits[word] = (bits[word] ?? 0) | toBitMask(tool.position);
}

function encodeTools(snapshot: CatalogSnapshot, tools: Iterable<CatalogTool>): Uint32Array {
  const bits = createWords(snapshot);
  for (const tool of tools) mark(bits, snapshot, tool);
  return bits;
}

type WordOperation = (left: number, right: number) => number;

/** Folds the words of the others into those of the first, one after another. */
function foldSelections(
  first: ToolSelection,
  others: readonly ToolSelection[],
  combine: WordOperation,
): ToolSelection {
  const bits = toBits(first).slice();
  for (const other of others) {
    if (other.snapshot !== first.snapshot) {
      throw new TypeError('the selections are of different snapshots');
    }
    const words = toBits(other);
    for (let index = 0; index < bits.length; index += 1)
      bits[index] = combine(bits[index] ?? 0, words[index] ?? 0);
  }
  return new BitSelection(first.snapshot, bits);
}

/** Selects nothing. */
export function createEmptySelection(snapshot: CatalogSnapshot): ToolSelection {
  return new BitSelection(snapshot, createWords(snapshot));
}

/**
 * Selects exactly the tools of these lists; duplicates count once. The lists are not copied: they can be large, and
 * many of them belong to the catalog.
 *
 * @throws TypeError when a tool is not of this snapshot, which only a bug can cause
 */
export function selectLists(
  snapshot: CatalogSnapshot,
  lists: readonly (readonly CatalogTool[])[],
): ToolSelection {
  const bits = createWords(snapshot);
  for (const tools of lists) for (const tool of tools) mark(bits, snapshot, tool);
  return new BitSelection(snapshot, bits);
}

/**
 * Selects what at least one of the selections does.
 *
 * @throws TypeError when they are of different snapshots, which only a bug can cause
 */
export function uniteSelections(
  selections: readonly [ToolSelection, ...ToolSelection[]],
): ToolSelection {
  const [first, ...others] = selections;
  return foldSelections(first, others, (left, right) => left | right);
}

/**
 * Selects what both do.
 *
 * @throws TypeError when they are of different snapshots, which only a bug can cause
 */
export function intersectSelections(a: ToolSelection, b: ToolSelection): ToolSelection {
  return foldSelections(a, [b], (left, right) => left & right);
}

/**
 * Selects what the first does and the second does not.
 *
 * @throws TypeError when they are of different snapshots, which only a bug can cause
 */
export function subtractSelection(a: ToolSelection, b: ToolSelection): ToolSelection {
  return foldSelections(a, [b], (left, right) => left & ~right);
}
