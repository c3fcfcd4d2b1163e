import {
  hasPlaceholders,
  findPlaceholderField,
  listPlaceholders,
  listPlaceholderTexts,
  listPlaceholderWarnings,
  replacePlaceholders,
  type McpServer,
} from '@gateway/crd-schemas';

/** Returns the texts of a server with the values of variables; a variable without a value is an empty text. */
export const resolved = (
  server: McpServer,
  variables: ReadonlyMap<string, string>,
): readonly string[] =>
  listPlaceholderTexts(server.spec)
    .filter(({ text }) => hasPlaceholders(text))
    .map(
      ({ field, text }) =>
        `${field}: ${replacePlaceholders(text, ({ name }) => variables.get(name) ?? '')}`,
    );

/** Returns what a text refers to. */
export const names = (text: string): readonly string[] =>
  listPlaceholders(text).map(({ kind, name }) => `${kind} ${name}`);

/** Returns the field of a `spec` that reads variables or files of the gateway. */
export const reading = (spec: object): string | undefined => findPlaceholderField(spec);

/** Returns the sentences for texts that look like placeholders of this gateway. */
export const doubtful = ({ spec }: McpServer): readonly string[] => listPlaceholderWarnings(spec);
