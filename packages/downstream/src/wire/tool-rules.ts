import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  compileGlob,
  followReference,
  type ServerTool,
  type ToolAnnotations,
} from '@gateway/catalog';
import {
  type ArgumentText,
  formatReference,
  type McpServer,
  resolveKeyReference,
  type ToolRule,
  type ValueReference,
} from '@gateway/crd-schemas';
import { changeMembers, findSourceText, storeSourceText } from '@gateway/mcp-wire';
import { isDeepStrictEqual } from 'node:util';

type Rules = readonly ToolRule[];

type FindRules = (tool: string) => Rules;

const compileRules = (rules: Rules): FindRules => {
  const byPattern = rules.map(({ pattern }) => {
    const glob = pattern === undefined ? undefined : compileGlob(pattern);
    return glob?.ok === true ? glob.matches : () => false;
  });
  const named = Map.groupBy(rules, ({ name }) => name);
  return (tool) => [
    ...rules.filter((_rule, index) => byPattern[index]?.(tool)),
    ...(named.get(tool) ?? []),
  ];
};

const compiled = new WeakMap<Rules, FindRules>();

/** Returns the entries of `spec.tools` for a tool, in the order in which later ones win: patterns, then names. */
export const findToolRules = (rules: Rules, tool: string): Rules => {
  const find = compiled.get(rules) ?? compileRules(rules);
  compiled.set(rules, find);
  return find(tool);
};

type ArgumentSource =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'reference'; readonly reference: ValueReference };

/** Returns the arguments that entries set, by name. */
const listSources = (rules: Rules): ReadonlyMap<string, ArgumentSource> => {
  const sources = new Map<string, ArgumentSource>();
  for (const { defaults = {}, defaultsFrom = [] } of rules) {
    for (const [name, value] of Object.entries(defaults))
      sources.set(name, { kind: 'literal', value });
    for (const reference of defaultsFrom)
      sources.set(reference.name, { kind: 'reference', reference });
  }
  return sources;
};

/** Keywords whose sub-schemas describe the same object. The meaning of a condition (`if`, `not`) depends on the argument, so it stays. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'then', 'else'] as const;

/** Maximum number of references that are replaced by what they refer to, because a reference may contain itself. */
const MAX_REPLACED = 8;

/** Removes arguments from an input schema. */
class ArgumentRemoval {
  readonly #root: JsonObject;
  readonly #names: ReadonlySet<string>;
  #replaced = 0;

  constructor(root: JsonObject, names: Iterable<string>) {
    this.#root = root;
    this.#names = new Set(names);
  }

  /** Returns the schema without the arguments; the same object when it has none of them. */
  apply(schema: JsonObject = this.#root): JsonObject {
    const target = followReference(this.#root, schema['$ref']);
    if (!isJsonObject(target) || this.#replaced === MAX_REPLACED) return this.#withoutOwn(schema);
    this.#replaced += 1;
    const shown = this.apply(target);
    if (shown === target) return this.#withoutOwn(schema);
    const { $ref: _reference, ...others } = schema;
    return this.#withoutOwn({ ...others, ...shown });
  }

  #withoutOwn(schema: JsonObject): JsonObject {
    const { properties, required } = schema;
    const changed: (readonly [string, unknown])[] = [];
    if (isJsonObject(properties)) {
      const kept = Object.entries(properties).filter(([name]) => !this.#names.has(name));
      if (kept.length < Object.keys(properties).length)
        changed.push(['properties', Object.fromEntries(kept)]);
    }
    if (Array.isArray(required)) {
      const kept = (required as readonly unknown[]).filter((name) => !this.#has(name));
      if (kept.length < required.length) changed.push(['required', kept]);
    }
    for (const keyword of IN_PLACE) {
      const shown = this.#applyInPlace(schema[keyword]);
      if (shown !== schema[keyword]) changed.push([keyword, shown]);
    }
    return changed.length === 0 ? schema : { ...schema, ...Object.fromEntries(changed) };
  }

  #has(name: unknown): boolean {
    return typeof name === 'string' && this.#names.has(name);
  }

  #applyInPlace(value: unknown): unknown {
    if (!Array.isArray(value)) return isJsonObject(value) ? this.apply(value) : value;
    const schemas: readonly unknown[] = value;
    const shown = schemas.map((one) => (isJsonObject(one) ? this.apply(one) : one));
    return shown.some((one, index) => one !== schemas[index]) ? shown : schemas;
  }
}

/** Returns the tool as its rules show it; the same object when they change nothing, `undefined` when they hide it. */
const changeTool = (tool: ServerTool, rules: Rules): ServerTool | undefined => {
  const { title, description, hidden } = rules.reduce<Partial<ToolRule>>(
    (all, rule) => ({ ...all, ...rule }),
    {},
  );
  if (hidden === true) return undefined;
  const hints = rules.reduce<ToolAnnotations>(
    (all, { annotations }) => ({ ...all, ...annotations }),
    {},
  );
  const set = listSources(rules);
  const texts = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
  const changed = [
    ...Object.keys(texts),
    ...Object.keys(hints).map((hint) => `annotations.${hint}`),
    ...[...set.keys()].map((name) => `defaults.${name}`),
  ];
  if (changed.length === 0) return tool;
  const withHints = (declared: unknown) =>
    Object.keys(hints).length > 0 && {
      annotations: { ...(isJsonObject(declared) ? declared : {}), ...hints },
    };
  const inputSchema = new ArgumentRemoval(tool.inputSchema, set.keys()).apply();
  const shown = { ...texts, inputSchema };
  return {
    ...tool,
    ...shown,
    ...withHints(tool.annotations),
    changed,
    ...(tool.listed && {
      listed: { ...tool.listed, ...shown, ...withHints(tool.listed['annotations']) },
    }),
  };
};

/** By the tool as its server lists it: the rules that changed it last, and the result. */
const shownTools = new WeakMap<
  ServerTool,
  { readonly rules: Rules; readonly shown: ServerTool | undefined }
>();

/** Returns the listed tools as `spec.tools` of their server shows them; the same list without rules. A tool that its rules change in the same way is the same object. */
export const applyToolRules = (
  { spec }: Pick<McpServer, 'spec'>,
  tools: readonly ServerTool[],
): readonly ServerTool[] => {
  const all = spec.tools;
  if (all === undefined) return tools;
  return tools.flatMap((tool) => {
    const rules = findToolRules(all, tool.name);
    const known = shownTools.get(tool);
    if (known !== undefined && isDeepStrictEqual(known.rules, rules)) return known.shown ?? [];
    const shown = changeTool(tool, rules);
    shownTools.set(tool, { rules, shown });
    return shown ?? [];
  });
};

/** The arguments that a server sets in the calls of a tool. */
interface SetArguments {
  readonly names: ReadonlySet<string>;
  readonly values: JsonObject;
  /** The values as JSON. */
  readonly texts: Readonly<Record<string, string>>;
  /** An argument whose value is missing, and why. */
  readonly missing?: { readonly argument: string; readonly reason: string };
}

type MissingValue = Extract<ArgumentText, { readonly ok: false }>;

const NOT_READ: MissingValue = { ok: false, code: 'unreadable', reason: 'it was not read' };

/** Returns the value of an argument, why it is missing, or neither for one that may be absent. */
const resolveArgument = (
  { referenced }: Pick<McpServer, 'referenced'>,
  source: ArgumentSource,
): { readonly ok: true; readonly value: unknown } | MissingValue | undefined => {
  if (source.kind === 'literal') return { ok: true, value: source.value };
  const { reference } = source;
  const found = referenced?.toolArguments?.[formatReference(reference)] ?? NOT_READ;
  if (found.ok) return { ok: true, value: found.text };
  return found.code === 'absent' && resolveKeyReference(reference).optional ? undefined : found;
};

const resolveArguments = (
  definition: Pick<McpServer, 'referenced'>,
  sources: ReadonlyMap<string, ArgumentSource>,
): SetArguments => {
  const values: (readonly [string, unknown])[] = [];
  let missing: SetArguments['missing'];
  for (const [argument, source] of sources) {
    const found = resolveArgument(definition, source);
    if (found?.ok === true) values.push([argument, found.value]);
    else if (found !== undefined) missing ??= { argument, reason: found.reason };
  }
  return {
    names: new Set(sources.keys()),
    values: Object.fromEntries(values),
    texts: Object.fromEntries(values.map(([name, value]) => [name, JSON.stringify(value)])),
    ...(missing && { missing }),
  };
};

const argumentsByTool = new WeakMap<McpServer, Map<string, SetArguments | undefined>>();

/** Returns the arguments that `spec.tools` of a server sets in the calls of a tool; `undefined` without any. Computed once per definition. */
export const findSetArguments = (
  definition: McpServer,
  tool: string | undefined,
): SetArguments | undefined => {
  const { tools: rules } = definition.spec;
  if (rules === undefined || tool === undefined) return undefined;
  const known = argumentsByTool.get(definition) ?? new Map<string, SetArguments | undefined>();
  argumentsByTool.set(definition, known);
  if (known.has(tool)) return known.get(tool);
  const sources = listSources(findToolRules(rules, tool));
  const found = sources.size === 0 ? undefined : resolveArguments(definition, sources);
  known.set(tool, found);
  return found;
};

/** Returns the arguments of a call with those that the server sets, in place of what the caller gave for them. The others keep their text. */
export const setArguments = (
  given: JsonObject,
  { names, values, texts }: SetArguments,
): JsonObject => {
  const own = Object.entries(given).filter(([name]) => !names.has(name));
  const filled = Object.fromEntries([...own, ...Object.entries(values)]);
  const text = findSourceText(given);
  if (text === undefined) return filled;
  const remove = (name: string): boolean => names.has(name);
  return storeSourceText(filled, changeMembers(text, { remove, add: texts }));
};
