import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import type {
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
  ToolAnnotations,
} from '@gateway/catalog';

/** An entry of a list, or why it cannot be used: the end of a sentence about it. */
export type ParsedEntry<T> =
  { readonly ok: true; readonly item: T } | { readonly ok: false; readonly reason: string };

const textField = <K extends string>(entry: JsonObject, key: K): { readonly [P in K]?: string } => {
  const value = entry[key];
  // A computed key of a generic type widens to an index signature; it is exactly K.
  return typeof value === 'string' ? ({ [key]: value } as { readonly [P in K]?: string }) : {};
};

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Returns only the hints that the server set. A hint that is not a boolean counts as unset. @spec §2.4 annotations */
const annotationsOf = (value: unknown): ToolAnnotations | undefined => {
  if (!isJsonObject(value)) return undefined;
  const hints = HINTS.flatMap((hint) => {
    const set = Object.hasOwn(value, hint) ? value[hint] : undefined;
    return typeof set === 'boolean' ? [[hint, set] as const] : [];
  });
  return hints.length === 0 ? undefined : Object.fromEntries(hints);
};

const annotationTitle = (value: unknown): { readonly title?: string } =>
  isJsonObject(value) ? textField(value, 'title') : {};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** Returns why a value that should be of a kind is not; the end of a sentence about its owner. */
const wrongKind = (member: string, value: unknown, wanted: string): string =>
  value === undefined ? `it has no ${member}` : `its ${member} is ${kindOf(value)}, not ${wanted}`;

const refuse = (reason: string): ParsedEntry<never> => ({ ok: false, reason });

/** Returns why an entry has no identifier in this member; `undefined` when it has one. */
const identifierProblem = (entry: JsonObject, member: string): string | undefined => {
  const value = entry[member];
  if (typeof value !== 'string') return wrongKind(member, value, 'a text');
  return value === '' ? `its ${member} is empty` : undefined;
};

/** Parses an entry of `tools/list`. */
export const parseToolEntry = (entry: JsonObject): ParsedEntry<ServerTool> => {
  const problem = identifierProblem(entry, 'name');
  if (problem !== undefined) return refuse(problem);
  const { inputSchema, outputSchema } = entry;
  if (!isJsonObject(inputSchema)) return refuse(wrongKind('inputSchema', inputSchema, 'an object'));
  const annotations = annotationsOf(entry['annotations']);
  return {
    ok: true,
    item: {
      name: entry['name'] as string,
      ...annotationTitle(entry['annotations']),
      ...textField(entry, 'title'),
      ...textField(entry, 'description'),
      inputSchema,
      ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
      ...(annotations === undefined ? {} : { annotations }),
      // The entry itself, not a copy: its schemas are shared, so it takes no additional memory.
      listed: entry,
    },
  };
};

const shownFields = (entry: JsonObject) => ({
  ...textField(entry, 'name'),
  ...textField(entry, 'description'),
  ...textField(entry, 'mimeType'),
  listed: entry,
});

/** Parses an entry of `resources/list`. */
export const parseResourceEntry = (entry: JsonObject): ParsedEntry<ServerResource> => {
  const problem = identifierProblem(entry, 'uri');
  if (problem !== undefined) return refuse(problem);
  return { ok: true, item: { uri: entry['uri'] as string, ...shownFields(entry) } };
};

/** Parses an entry of `resources/templates/list`. */
export const parseTemplateEntry = (entry: JsonObject): ParsedEntry<ServerResourceTemplate> => {
  const problem = identifierProblem(entry, 'uriTemplate');
  if (problem !== undefined) return refuse(problem);
  return { ok: true, item: { uriTemplate: entry['uriTemplate'] as string, ...shownFields(entry) } };
};

type PromptArgument = NonNullable<ServerPrompt['arguments']>[number];

const argumentOf = (value: unknown): readonly PromptArgument[] => {
  if (!isJsonObject(value)) return [];
  const { name, required } = value;
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      ...textField(value, 'description'),
      ...(typeof required === 'boolean' ? { required } : {}),
    },
  ];
};

/** Parses an entry of `prompts/list`. */
export const parsePromptEntry = (entry: JsonObject): ParsedEntry<ServerPrompt> => {
  const problem = identifierProblem(entry, 'name');
  if (problem !== undefined) return refuse(problem);
  const { arguments: list } = entry;
  return {
    ok: true,
    item: {
      name: entry['name'] as string,
      ...textField(entry, 'description'),
      ...(Array.isArray(list) ? { arguments: list.flatMap(argumentOf) } : {}),
      listed: entry,
    },
  };
};
