import { hidesCharacters, MAX_EXPOSED_NAME_CHARS } from '@gateway/catalog';
import type { ServerTool } from '@gateway/catalog';
import type { ToolChange, ToolField } from './tool-change.ts';
import { changedFields, digestOf, TOOL_FIELDS } from './tool-digest.ts';
import type { ToolDigest } from './tool-digest.ts';

/** A hint as it was set, or that it was not. */
export type Hint = boolean | undefined;

/** What is remembered of a tool. */
export interface KnownTool {
  /** What was last seen. */
  readonly digest: ToolDigest;
  readonly readOnly: Hint;
  /** The `readOnlyHint` that counts without anybody's consent: what was accepted, and whatever is narrower. */
  readonly accepted: Hint;
  /** What has changed since it was accepted. */
  readonly fields: readonly ToolField[];
  /** When it last changed, in milliseconds since the epoch; 0 when it has not. */
  readonly at: number;
}

/** A change that has just been seen. */
export interface ObservedChange {
  readonly tool: string;
  readonly fields: readonly ToolField[];
  readonly widened: boolean;
  readonly held: boolean;
}

/** Tools of one server that are remembered. Beyond it, those that are not listed any more are forgotten, the latest first. */
const MAX_KNOWN_TOOLS = 20_000;
/** Changes that are shown at once. */
const MAX_SHOWN_CHANGES = 100;

const isWidened = ({ readOnly, accepted }: KnownTool): boolean =>
  readOnly === true && accepted !== true;

const hasChanged = ({ fields }: KnownTool): boolean => fields.length > 0;

const union = (a: readonly ToolField[], b: readonly ToolField[]): readonly ToolField[] =>
  TOOL_FIELDS.filter((field) => a.includes(field) || b.includes(field));

/** The catalog serves no tool with another name, whatever its prefix is. */
const canBeServed = (name: string): boolean =>
  name.length <= MAX_EXPOSED_NAME_CHARS && !hidesCharacters(name);

/** What one server says of its tools, compared with what it said before. Knows nothing of files, clocks and logs. */
export class ServerLedger {
  readonly #tools: Map<string, KnownTool>;
  readonly #pins: boolean;
  #changes: readonly ToolChange[] | undefined;

  /** @param pins hints that turn to true wait to be accepted */
  constructor(pins: boolean, tools: Iterable<readonly [string, KnownTool]> = []) {
    this.#pins = pins;
    this.#tools = new Map(tools);
  }

  /** By the server's own names, in the order in which they were first seen. */
  get tools(): ReadonlyMap<string, KnownTool> {
    return this.#tools;
  }

  /**
   * Takes a whole list. A tool that was never seen is believed; of two tools with one name the first counts; what cannot be served is left aside.
   *
   * @returns what changed, and whether there is anything new to remember
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

  /** Whether the tool's `readOnlyHint` waits to be accepted. */
  isHeld(name: string): boolean {
    const known = this.#tools.get(name);
    return this.#pins && known !== undefined && isWidened(known);
  }

  /** The hint to show as long as the tool's own is held. */
  acceptedHint(name: string): Hint {
    return this.#tools.get(name)?.accepted;
  }

  /** The same array while nothing changed: newest last, wider hints before others when there are too many. */
  changes(): readonly ToolChange[] {
    this.#changes ??= this.#shownChanges();
    return this.#changes;
  }

  /** The names of these that are not known. */
  unknown(names: readonly string[]): readonly string[] {
    return names.filter((name) => !this.#tools.has(name));
  }

  /** Accepts these tools, or all, as they were last seen. @returns those that had changes, sorted */
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

  /** The longest known stay, so that nobody can push them out with new names. */
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
