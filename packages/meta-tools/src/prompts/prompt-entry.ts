import type { JsonObject } from '@gateway/call-contract';
import type { CatalogPrompt } from '@gateway/catalog';

/** A prompt as lists show it. */
export interface PromptEntry {
  readonly name: string;
  readonly description?: string;
  readonly server: string;
}

/** A prompt as lists show it. */
export const promptEntry = ({ name, description, server }: CatalogPrompt): PromptEntry => ({
  name,
  ...(description !== undefined && { description }),
  server,
});

const entryProperties: JsonObject = {
  name: { type: 'string' },
  description: { type: 'string' },
  server: { type: 'string' },
};

/** JSON Schema of a {@link PromptEntry}. */
export const promptEntrySchema: JsonObject = {
  type: 'object',
  properties: entryProperties,
  required: ['name', 'server'],
  additionalProperties: false,
};

/** JSON Schema of a prompt with its arguments. */
export const promptDetailSchema: JsonObject = {
  type: 'object',
  properties: {
    ...entryProperties,
    arguments: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          description: { type: 'string' },
          required: { type: 'boolean' },
        },
        required: ['name'],
      },
    },
  },
  required: ['name', 'server'],
  additionalProperties: false,
};
