import type { JsonObject } from '@gateway/call-contract';
import type {
  CatalogPrompt,
  CatalogResource,
  CatalogResourceTemplate,
  CatalogTool,
} from '@gateway/catalog';

/** The fields of a thing that have a value. */
const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The entry with these fields in place of its own; the very same entry when it has them already. */
const withFields = (entry: JsonObject, fields: JsonObject): JsonObject =>
  Object.entries(fields).every(([key, value]) => Object.hasOwn(entry, key) && entry[key] === value)
    ? entry
    : { ...entry, ...fields };

const ownListing = (tool: CatalogTool): JsonObject =>
  given({
    title: tool.title,
    description: tool.description === '' ? undefined : tool.description,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
  });

/** A tool's entry of `tools/list`: as its server lists it, under this name. */
export const toolEntry = (tool: CatalogTool, name: string): JsonObject =>
  withFields(tool.listed ?? ownListing(tool), { name, inputSchema: tool.inputSchema });

/** A prompt's entry of `prompts/list`: as its server lists it, under this name. */
export const promptEntry = (prompt: CatalogPrompt, name: string): JsonObject => {
  const { description, arguments: args, listed } = prompt;
  return withFields(listed ?? given({ description, arguments: args }), { name });
};

/** A resource's entry of `resources/list`: as its server lists it, under this URI; without a name it shows its own URI. */
export const resourceEntry = (resource: CatalogResource, uri: string): JsonObject => {
  const { name, description, mimeType, listed, serverUri } = resource;
  return withFields(listed ?? given({ description, mimeType }), { uri, name: name ?? serverUri });
};

/** A template's entry of `resources/templates/list`: as its server lists it; without a name it shows itself. */
export const templateEntry = (template: CatalogResourceTemplate): JsonObject => {
  const { uriTemplate, name, description, mimeType, listed } = template;
  return withFields(listed ?? given({ description, mimeType }), {
    uriTemplate,
    name: name ?? uriTemplate,
  });
};
