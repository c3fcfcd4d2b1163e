import type { JsonObject } from '@gateway/call-contract';
import type {
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
  ToolAnnotations,
} from '@gateway/catalog';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textField = <K extends string>(entry: JsonObject, key: K): { readonly [P in K]?: string } => {
  const value = entry[key];
  // A computed key of a generic type widens to an index signature; it is exactly K.
  return typeof value === 'string' ? ({ [key]: value } as { readonly [P in K]?: string }) : {};
};

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Returns only the hints that the server set. A hint that is not a boolean counts as unset. @spec §2.4 annotations */
const annotationsOf = (value: unknown): ToolAnnotations | undefined => {
  if (!isObject(value)) return undefined;
  const hints = HINTS.flatMap((hint) => {
    const set = Object.hasOwn(value, hint) ? value[hint] : undefined;
    return typeof set === 'boolean' ? [[hint, set] as const] : [];
  });
  return hints.length === 0 ? undefined : Object.fromEntries(hints);
};

const annotationTitle = (value: unknown): { readonly title?: string } =>
  isObject(value) ? textField(value, 'title') : {};

/** Parses an entry of `tools/list`; `undefined` when it has no name or its input schema is not an object. */
export const parseToolEntry = (entry: unknown): ServerTool | undefined => {
  if (!isObject(entry)) return undefined;
  const { name, inputSchema, outputSchema } = entry;
  if (typeof name !== 'string' || name === '' || !isObject(inputSchema)) return undefined;
  const annotations = annotationsOf(entry['annotations']);
  return {
    name,
    ...annotationTitle(entry['annotations']),
    ...textField(entry, 'title'),
    ...textField(entry, 'description'),
    inputSchema,
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(annotations === undefined ? {} : { annotations }),
    // The entry itself, not a copy: its schemas are shared, so it takes no additional memory.
    listed: entry,
  };
};

/** Parses an entry of `resources/list`; `undefined` when it has no URI. */
export const parseResourceEntry = (entry: unknown): ServerResource | undefined => {
  if (!isObject(entry)) return undefined;
  const { uri } = entry;
  if (typeof uri !== 'string' || uri === '') return undefined;
  return {
    uri,
    ...textField(entry, 'name'),
    ...textField(entry, 'description'),
    ...textField(entry, 'mimeType'),
    listed: entry,
  };
};

/** Parses an entry of `resources/templates/list`; `undefined` when it has no URI template. */
export const parseTemplateEntry = (entry: unknown): ServerResourceTemplate | undefined => {
  if (!isObject(entry)) return undefined;
  const { uriTemplate } = entry;
  if (typeof uriTemplate !== 'string' || uriTemplate === '') return undefined;
  return {
    uriTemplate,
    ...textField(entry, 'name'),
    ...textField(entry, 'description'),
    ...textField(entry, 'mimeType'),
    listed: entry,
  };
};

type PromptArgument = NonNullable<ServerPrompt['arguments']>[number];

const argumentOf = (value: unknown): readonly PromptArgument[] => {
  if (!isObject(value)) return [];
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

/** Parses an entry of `prompts/list`; `undefined` when it has no name. */
export const parsePromptEntry = (entry: unknown): ServerPrompt | undefined => {
  if (!isObject(entry)) return undefined;
  const { name, arguments: list } = entry;
  if (typeof name !== 'string' || name === '') return undefined;
  return {
    name,
    ...textField(entry, 'description'),
    ...(Array.isArray(list) ? { arguments: list.flatMap(argumentOf) } : {}),
    listed: entry,
  };
};
