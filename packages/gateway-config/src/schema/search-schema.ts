import { z } from 'zod';
import { MAPPING, text, wholeNumber } from './field-types.ts';

const MAX_GROUPS = 1000;
const MAX_WORDS = 32;
const MAX_WORD_CHARS = 64;

const LIST = { error: 'must be a list' };

const word = text
  .max(MAX_WORD_CHARS, { error: `must have at most ${MAX_WORD_CHARS.toString()} characters` })
  .regex(/^[^,]*\p{L}[^,]*$/u, { error: 'must have a letter and no comma' });

const group = z
  .array(word, LIST)
  .min(2, { error: 'must have at least 2 items' })
  .max(MAX_WORDS, { error: `must have at most ${MAX_WORDS.toString()} items` });

/** Returns whether a text is a URL without a part that could hold a secret. */
const isPlainUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return [username, password, search, hash].every((part) => part === '');
};

const endpoint = text.refine((value) => /^https?:\/\//u.test(value) && isPlainUrl(value), {
  error: 'must be a URL with https or http, without credentials, query and fragment',
});

const embeddingsSchema = z.strictObject(
  {
    url: endpoint.describe(
      'OpenAI-compatible endpoint, such as `https://host/v1/embeddings`; `http` is for loopback and private addresses',
    ),
    model: text
      .max(256, { error: 'must have at most 256 characters' })
      .describe('model to request'),
    keyFile: text
      .optional()
      .describe(
        'file with the key of the endpoint, relative to the configuration directory; environment: `GATEWAY_EMBEDDINGS_KEY`',
      ),
    timeoutMs: wholeNumber(100, 60_000)
      .default(2000)
      .describe(
        'time that a search waits for the vector of its query; then words alone are ranked',
      ),
    maxVectors: wholeNumber(100, 200_000)
      .default(20_000)
      .describe('cached vectors of tools; the least recently used ones are evicted'),
  },
  MAPPING,
);

/** The key `search`: the search of `filter_tools`. */
export const searchSchema = z.strictObject(
  {
    synonyms: z
      .array(group, LIST)
      .max(MAX_GROUPS, { error: `must have at most ${MAX_GROUPS.toString()} items` })
      .default([])
      .describe(
        'lists of words and phrases that mean the same in this installation, in addition to the general thesaurus',
      ),
    embeddings: embeddingsSchema
      .optional()
      .describe(
        'vectors of tools and queries, which are ranked in addition to their words; unset: none',
      ),
  },
  MAPPING,
);
