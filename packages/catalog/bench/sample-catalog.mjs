/** A catalog of made-up words: 300 servers of 34 tools, with one-line descriptions and three arguments each. */

const VERBS = 'list get create delete update search export import start stop describe merge'.split(
  ' ',
);
const SYLLABLES = 'ba ko ri ten mu lar sho dei fan gul ope ist qua ver min zo'.split(' ');

/** The same numbers in every run. */
const sequence = (seed) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

const next = sequence(7);
const pick = (items) => items[Math.floor(next() * items.length)];
const word = () => pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES);
const NOUNS = Array.from({ length: 2_000 }, word);
const sentence = (length) => Array.from({ length }, () => pick(NOUNS)).join(' ');

const schema = () => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 3 }, () => [
      pick(NOUNS),
      { type: 'string', description: `The ${sentence(6)}` },
    ]),
  ),
});

const tool = (index) => ({
  name: `${pick(VERBS)}_${pick(NOUNS)}_${index}`,
  description: `${sentence(12)}.\n${sentence(30)}`,
  inputSchema: schema(),
});

export const server = (index, rest = {}) => ({
  name: `server-${String(index).padStart(3, '0')}`,
  labels: {},
  tools: Array.from({ length: 34 }, (_, at) => tool(at)),
  resources: [],
  resourceTemplates: [],
  prompts: [],
  ...rest,
});

/** What a server looks like after it was listed again: equal, but nothing is the same object. */
export const relisted = (inventory) => structuredClone(inventory);

export const servers = Array.from({ length: 300 }, (_, index) => server(index));

const shared = Array.from({ length: 100 }, (_, at) => tool(at));

/** A family of 100 members, each of which lists the same 100 tools. */
export const members = Array.from({ length: 100 }, (_, index) =>
  relisted(server(index, { tools: shared, family: { name: 'k8s', instanceArg: 'cluster' } })),
);

/** Words that occur, so that queries find something. */
export const words = (count) => Array.from({ length: count }, () => pick(NOUNS));
