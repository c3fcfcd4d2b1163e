import { hidesCharacters, MAX_EXPOSED_NAME_CHARS } from '@gateway/catalog';
import type { ServerTool } from '@gateway/catalog';
import type { ToolChange, ToolField } from './tool-change.ts';
import { changedFields, digestOf, TOOL_FIELDS } from './tool-digest.ts';
import type { ToolDigest } from './tool-digest.ts';

/** The value of a hint; `undefined` when it is unset. */
export type Hint = boolean | undefined;

/** The remembered facts about a tool. */
export interface KnownTool {
  /** The last observed digest. */
  readonly digest: ToolDigest;
  readonly readOnly: Hint;
  /** The effective `readOnlyHint` before any further acceptance: the accepted hint, or a narrower one. */
  readonly accepted: Hint;
  /** The fields that changed since the last acceptance. */
  readonly fields: readonly ToolField[];
  /** Time of the last change in milliseconds since the epoch; 0 without one. */
  readonly at: number;
}

/** A newly observed change. */
export interface ObservedChange {
  readonly tool: string;
  readonly fields: readonly ToolField[];
  readonly widened: boolean;
  readonly held: boolean;
}

/** Maximum number of remembered tools per server. Beyond it, tools that are no longer listed are evicted, the newest first. */
const MAX_KNOWN_TOOLS = 20_000;
/** Maximum number of displayed changes. */
const MAX_SHOWN_CHANGES = 100;

const isWidened = ({ readOnly, accepted }: KnownTool): boolean =>
  readOnly === true && accepted !== true;

const hasChanged = ({ fields }: KnownTool): boolean => fields.length > 0;

const union = (a: readonly ToolField[], b: readonly ToolField[]): readonly ToolField[] =>
  TOOL_FIELDS.filter((field) => a.includes(field) || b.includes(field));

/** The catalog exposes no tool whose name is longer or has invisible characters. */
const canBeServed = (name: string): boolean =>
  name.length <= MAX_EXPOSED_NAME_CHARS && !hidesCharacters(name);

/** The tool declarations of one server, compared with the remembered ones. Pure: no files, clocks or logs. */
export class ServerLedger {
  readonly #tools: Map<string, KnownTool>;
  readonly #pins: boolean;
  #changes: readonly ToolChange[] | undefined;

  /** @param pins hints that change to true must be accepted */
  constructor(pins: boolean, tools: Iterable<readonly [string, KnownTool]> = []) {
    this.#pins = pins;
    this.#tools = new Map(tools);
  }

  /** By the server's own names, in the order of their first listing. */
  get tools(): ReadonlyMap<string, KnownTool> {
    return this.#tools;
  }

  /**
   * Compares a complete list. A new tool is accepted; of two tools with one name the first counts; tools that cannot be exposed are
   * ignored.
   *
   * @returns the changes, and whether anything must be stored
   */
  observe(
    tools: readonly ServerTool[],
    now: number,
  ): { readonly changes: readonly ObservedChange[]; readonly isChanged: boolean } {
    const changes: ObservedChange[] = [];
    const listed = new Set<string>();
    const { size } = this.#tools;
    for (const tool of tools) {
      if (listed.has(tool.name) || !canBeServed(tool.name)) continue;
      listed.add(tool.name);
      const change = this.#observeOne(tool, now);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length > 0) this.#changes = undefined;
    const isChanged = changes.length > 0 || this.#tools.size > size;
    if (this.#tools.size > MAX_KNOWN_TOOLS) this.#forget(listed);
    return { changes, isChanged };
  }

  /** Returns whether the tool's `readOnlyHint` must be accepted first. */
  isHeld(name: string): boolean {
    const known = this.#tools.get(name);
    return this.#pins && known !== undefined && isWidened(known);
  }

  /** Returns the hint to expose while the tool's own hint is held. */
  acceptedHint(name: string): Hint {
    return this.#tools.get(name)?.accepted;
  }

  /** Returns the changes, the newest last. When there are too many, widened hints take precedence. The same array while they are unchanged. */
  changes(): readonly ToolChange[] {
    this.#changes ??= this.#shownChanges();
    return this.#changes;
  }

  /** Returns the names that are not remembered. */
  unknown(names: readonly string[]): readonly string[] {
    return names.filter((name) => !this.#tools.has(name));
  }

  /** Accepts the last observed declarations of these tools, or of all. @returns the tools that had changes, sorted */
  accept(names: readonly string[] = [...this.#tools.keys()]): readonly string[] {
    const accepted: string[] = [];
    for (const name of new Set(names)) {
      const known = this.#tools.get(name);
      if (known === undefined || !hasChanged(known)) continue;
      this.#tools.set(name, { ...known, accepted: known.readOnly, fields: [], at: 0 });
      accepted.push(name);
    }
    if (accepted.length > 0) this.#changes = undefined;
    return accepted.sort();
  }

  #observeOne(tool: ServerTool, now: number): ObservedChange | undefined {
    const digest = digestOf(tool);
    const readOnly = tool.annotations?.readOnlyHint;
    const before = this.#tools.get(tool.name);
    if (before === undefined) {
      this.#tools.set(tool.name, { digest, readOnly, accepted: readOnly, fields: [], at: 0 });
      return undefined;
    }
    const fields = changedFields(before.digest, digest);
    if (fields.length === 0) return undefined;
    const after: KnownTool = {
      digest,
      readOnly,
      accepted: readOnly === true ? before.accepted : readOnly,
      fields: union(before.fields, fields),
      at: now,
    };
    this.#tools.set(tool.name, after);
    const widened = before.readOnly !== true && isWidened(after);
    return { tool: tool.name, fields, widened, held: widened && this.#pins };
  }

  /** The oldest tools stay, so that new names cannot push them out. */
  #forget(listed: ReadonlySet<string>): void {
    for (const name of [...this.#tools.keys()].reverse()) {
      if (this.#tools.size <= MAX_KNOWN_TOOLS) return;
      if (!listed.has(name)) this.#tools.delete(name);
    }
  }

  #shownChanges(): readonly ToolChange[] {
    const changed = [...this.#tools].filter(([, known]) => hasChanged(known));
    const byTime = changed.sort(([a, x], [b, y]) => x.at - y.at || (a < b ? -1 : 1));
    const wide = byTime.filter(([, known]) => isWidened(known)).slice(-MAX_SHOWN_CHANGES);
    const room = MAX_SHOWN_CHANGES - wide.length;
    const others = room === 0 ? [] : byTime.filter(([, known]) => !isWidened(known)).slice(-room);
    const shown = new Set([...wide, ...others]);
    return byTime
      .filter((one) => shown.has(one))
      .map(([tool, known]) => ({
        tool,
        at: known.at,
        fields: known.fields,
        hintWidened: isWidened(known),
        held: this.#pins && isWidened(known),
      }));
  }
}
