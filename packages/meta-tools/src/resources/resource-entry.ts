import type { JsonObject } from '@gateway/call-contract';
import type { CatalogResource, CatalogResourceTemplate } from '@gateway/catalog';
import type { GatewayResource } from '../contract/ports.ts';

/** A resource or a resource template of a server. */
export type ResourceItem = CatalogResource | CatalogResourceTemplate;

/** A resource or a resource template, of a server or of the gateway itself. */
export type ListedItem = ResourceItem | GatewayResource;

/** A resource as answers show it; a template carries `uriTemplate` in place of `uri`. */
export interface ResourceEntry {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Absent for the gateway itself. */
  readonly server?: string;
}

/** The URI of a resource, or the template of a template. */
export const addressOf = (item: ListedItem): string =>
  'uri' in item ? item.uri : item.uriTemplate;

/** A resource as answers show it; without a description of its own it shows its name. */
export const resourceEntry = (item: ListedItem): ResourceEntry => {
  const description = item.description ?? item.name;
  return {
    ...('uri' in item ? { uri: item.uri } : { uriTemplate: item.uriTemplate }),
    ...(item.name !== undefined && { name: item.name }),
    ...(description !== undefined && { description }),
    ...(item.mimeType !== undefined && { mimeType: item.mimeType }),
    ...(item.server !== undefined && { server: item.server }),
  };
};

/** JSON Schema of a {@link ResourceEntry}. */
export const resourceEntrySchema: JsonObject = {
  type: 'object',
  properties: {
    uri: { type: 'string' },
    uriTemplate: { type: 'string', description: 'RFC 6570 template; instead of uri' },
    name: { type: 'string' },
    description: { type: 'string' },
    mimeType: { type: 'string' },
    server: { type: 'string', description: 'Absent for a resource of the gateway' },
  },
  additionalProperties: false,
};
