import type { CatalogTool } from './catalog-tool.ts';
import { joinSegments, segmentOf, type SearchSegment } from './search-segment.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/** A segment with the places of its tools in one snapshot. */
export interface PlacedSegment {
  readonly segment: SearchSegment;
  /** By slot, the position in the catalog; -1 for a tool that the snapshot does not have. */
  readonly positions: Int32Array;
  /** Number of tools of the segment that the snapshot has. */
  readonly live: number;
}

/** The words of the tools of one snapshot, in segments that later snapshots share. Immutable. */
export interface SearchIndex {
  readonly segments: readonly PlacedSegment[];
  /** Number of tools. */
  readonly size: number;
  /** The number of the server of each tool by position; 0 for a tool without one. */
  readonly servers: Uint32Array;
  /** One more than the highest number of a server. */
  readonly serverCount: number;
}

/** The most segments of an index: a query looks every word up in each. */
const MAX_SEGMENTS = 8;

interface Place {
  readonly at: number;
  readonly slot: number;
}

const NOWHERE: Place = { at: -1, slot: -1 };

/** The words of two tools with the same name are the same. */
const readsAlike = (a: CatalogTool, b: CatalogTool): boolean =>
  a === b ||
  (a.description === b.description &&
    a.inputSchema === b.inputSchema &&
    a.title === b.title &&
    a.server === b.server &&
    a.kind === b.kind);

/** The next slot is where the next tool of a catalog usually is. */
const nextOf = ({ at, slot }: Place): Place => ({ at, slot: slot + 1 });

const isAt = (segments: readonly PlacedSegment[], { at, slot }: Place, name: string): boolean =>
  segments[at]?.segment.tools[slot]?.name === name && (segments[at].positions[slot] ?? -1) >= 0;

/**
 * The place of the tool that the earlier snapshot had under a name.
 *
 * @param guess the place that is checked first
 */
function placeOf(
  segments: readonly PlacedSegment[],
  name: string,
  guess: Place,
): Place | undefined {
  if (isAt(segments, guess, name)) return guess;
  for (let at = 0; at < segments.length; at += 1) {
    const slot = segments[at]?.segment.slotOf(name);
    if (slot !== undefined && (segments[at]?.positions[slot] ?? -1) >= 0) return { at, slot };
  }
  return undefined;
}

function placed(
  earlier: readonly PlacedSegment[],
  tools: readonly CatalogTool[],
): { readonly placed: readonly PlacedSegment[]; readonly missing: readonly CatalogTool[] } {
  const segments = earlier.map(({ segment }) => segment);
  const positions = segments.map((segment) => new Int32Array(segment.tools.length).fill(-1));
  const live = segments.map(() => 0);
  const missing: CatalogTool[] = [];
  let last = NOWHERE;
  for (const tool of tools) {
    last = placeOf(earlier, tool.name, nextOf(last)) ?? NOWHERE;
    const { at, slot } = last;
    const known = segments[at]?.tools[slot];
    const target = positions[at];
    if (known === undefined || target === undefined || !readsAlike(known, tool)) {
      missing.push(tool);
      continue;
    }
    target[slot] = tool.position;
    live[at] = (live[at] ?? 0) + 1;
  }
  return {
    placed: segments.map((segment, at) => ({
      segment,
      positions: positions[at] ?? new Int32Array(),
      live: live[at] ?? 0,
    })),
    missing,
  };
}

const isWorthKeeping = ({ segment, live }: PlacedSegment): boolean =>
  live * 2 > segment.tools.length;

function joined(parts: readonly PlacedSegment[]): PlacedSegment {
  const segment = joinSegments(
    parts.map((part) => ({
      segment: part.segment,
      keeps: (slot) => (part.positions[slot] ?? -1) >= 0,
    })),
  );
  const positions = parts.flatMap((part) =>
    [...part.positions].filter((position) => position >= 0),
  );
  return { segment, positions: Int32Array.from(positions), live: segment.tools.length };
}

/** Joins segments that are mostly gone, and the smaller ones when there are too many: the largest stay as they are. */
function compacted(segments: readonly PlacedSegment[]): readonly PlacedSegment[] {
  const used = segments.filter(({ live }) => live > 0).sort((a, b) => b.live - a.live);
  const sound = used.filter(isWorthKeeping);
  const keep =
    sound.length === used.length && used.length <= MAX_SEGMENTS
      ? used.length
      : Math.min(sound.length, MAX_SEGMENTS >> 1);
  const kept = sound.slice(0, keep);
  const rest = used.filter((one) => !kept.includes(one));
  return rest.length === 0 ? kept : [...kept, joined(rest)];
}

function numberedServers(
  tools: readonly CatalogTool[],
): Pick<SearchIndex, 'servers' | 'serverCount'> {
  const numbers = new Map<string, number>();
  const servers = new Uint32Array(tools.length);
  let known: string | undefined;
  let number = 0;
  // A plain loop: entries of an iterator are objects. Tools of a server are neighbours.
  for (let position = 0; position < tools.length; position += 1) {
    const server = tools[position]?.server;
    if (server !== known) {
      number = server === undefined ? 0 : (numbers.get(server) ?? numbers.size + 1);
      if (server !== undefined) numbers.set(server, number);
      known = server;
    }
    servers[position] = number;
  }
  return { servers, serverCount: numbers.size + 1 };
}

/** Builds the index of a snapshot from an earlier one; only tools that this does not have are read. */
function builtIndex({ tools }: CatalogSnapshot, earlier: SearchIndex | undefined): SearchIndex {
  const { placed: known, missing } = placed(earlier?.segments ?? [], tools);
  const added: PlacedSegment = {
    segment: segmentOf(missing),
    positions: Int32Array.from(missing, ({ position }) => position),
    live: missing.length,
  };
  const all = missing.length === 0 ? known : [...known, added];
  return { segments: compacted(all), size: tools.length, ...numberedServers(tools) };
}

const indexes = new WeakMap<CatalogSnapshot, SearchIndex>();
const earlierIndexes = new WeakMap<CatalogSnapshot, SearchIndex>();

/** Returns the search index of a snapshot, built at first use and cached with the snapshot. */
export function searchIndex(snapshot: CatalogSnapshot): SearchIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = builtIndex(snapshot, earlierIndexes.get(snapshot));
  indexes.set(snapshot, index);
  earlierIndexes.delete(snapshot);
  return index;
}

/** Lets the index of a snapshot reuse that of the snapshot that it replaces. The index itself is built later. */
export function inheritIndex(snapshot: CatalogSnapshot, previous: CatalogSnapshot): void {
  const index = indexes.get(previous) ?? earlierIndexes.get(previous);
  if (index !== undefined) earlierIndexes.set(snapshot, index);
}

/**
 * Builds the search index of a snapshot before its first query. Words of tools that an earlier index contains are reused.
 */
export function prepareSearch(snapshot: CatalogSnapshot): void {
  searchIndex(snapshot);
}
